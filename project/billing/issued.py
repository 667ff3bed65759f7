"""Texts of other records that a bill shows. An issued bill stores them; a pre-bill reads them from the records."""

from dataclasses import dataclass
from typing import Any, Self

from project.catalogs.models import Company, Customer, Item


@dataclass(frozen=True)
class BillTexts:
    """Texts of the customer and the company."""

    customer_name: str
    customer_tax_id: str
    customer_addresses: list[dict[str, Any]]
    company_name: str
    company_legal_name: str
    company_tax_id: str
    company_email: str
    company_phone: str
    company_address: dict[str, Any] | None

    @classmethod
    def of(cls, customer: Customer, company: Company) -> Self:
        """Read the texts from the records as they are now."""
        return cls(
            customer_name=customer.name,
            customer_tax_id=customer.tax_id,
            customer_addresses=customer.addresses,
            company_name=company.name,
            company_legal_name=company.legal_name,
            company_tax_id=company.tax_id,
            company_email=company.email,
            company_phone=company.phone,
            company_address=company.commercial_address,
        )


@dataclass(frozen=True)
class LineTexts:
    """Texts of a product and its tariff item. `tariff_item` is the code; empty if the product has none.

    For labels also `fineness`, in tenths of a per mille and 0 without an alloy, and of an issued bill the number of
    lines of the order. Bills that were issued before these were stored have None.
    """

    item_key: str
    item_name: str
    description_spanish: str
    description_english: str
    origin: str
    tariff_item: str
    tariff_spanish: str
    tariff_english: str
    metal_spanish: str
    metal_english: str
    fineness: int | None = None
    order_lines: int | None = None

    @classmethod
    def of(cls, item: Item, *, order_lines: int | None = None) -> Self:
        """Read the texts from the records as they are now."""
        tariff = item.tax_item
        return cls(
            item_key=item.key,
            item_name=item.name,
            description_spanish=item.description_spanish,
            description_english=item.description_english,
            origin=item.origin,
            tariff_item=tariff.code if tariff else "",
            tariff_spanish=tariff.spanish_description if tariff else "",
            tariff_english=tariff.english_description if tariff else "",
            metal_spanish=tariff.spanish_metal_name if tariff else "",
            metal_english=tariff.english_metal_name if tariff else "",
            fineness=item.alloy.fineness if item.alloy else 0,
            order_lines=order_lines,
        )

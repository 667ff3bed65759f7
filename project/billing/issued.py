"""Texts of other records that a bill shows. An issued bill stores them; a pre-bill reads them from the records."""

from dataclasses import dataclass, replace
from typing import Any, Self

from project.catalogs.models import Company, Customer, Item


@dataclass(frozen=True)
class BillTexts:
    """Texts of the customer and the company.

    The fields with defaults were added later for customs papers: bills that were issued earlier do not store them.
    """

    customer_name: str
    customer_tax_id: str
    customer_addresses: list[dict[str, Any]]
    company_name: str
    company_legal_name: str
    company_tax_id: str
    company_email: str
    company_phone: str
    company_address: dict[str, Any] | None
    customer_email: str = ""
    customer_phone: str = ""
    company_certifier_name: str = ""
    company_certifier_title: str = ""
    company_certifier_role: str = ""
    company_fiscal_regime: str = ""

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
            customer_email=next(iter(customer.emails), ""),
            customer_phone=_phone_text(customer.phones),
            company_certifier_name=company.certifier_name,
            company_certifier_title=company.certifier_title,
            company_certifier_role=company.certifier_role,
            company_fiscal_regime=company.fiscal_regime,
        )

    def filled(self, now: "BillTexts") -> "BillTexts":
        """Return a copy in which empty texts that customs papers need are taken from `now`."""
        return _filled(self, now, _OF_CUSTOMS)


@dataclass(frozen=True)
class LineTexts:
    """Texts of a product and its tariff item. `tariff_item` is the code; empty if the product has none.

    For labels: `fineness`, in tenths of a per mille, 0 without an alloy; and `order_lines`, the number of lines of the
    order, for issued bills only. Both are None for bills that were issued before they were stored.
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
    origin_criterion: str = ""
    sat_product_code: str = ""
    sat_unit: str = ""

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
            origin_criterion=item.origin_criterion,
            sat_product_code=item.sat_product_code,
            sat_unit=item.sat_unit_measurement,
        )

    def filled(self, now: "LineTexts") -> "LineTexts":
        """Return a copy in which empty texts that customs papers need are taken from `now`."""
        names = _OF_GOODS if self.tariff_item else (*_OF_GOODS, *_OF_TARIFF)
        return _filled(self, now, names)


_OF_CUSTOMS = (
    *("customer_email", "customer_phone", "company_certifier_name", "company_certifier_title"),
    *("company_certifier_role", "company_fiscal_regime"),
)
_OF_GOODS = ("origin_criterion", "sat_product_code", "sat_unit")
_OF_TARIFF = ("tariff_item", "tariff_spanish", "tariff_english", "metal_spanish", "metal_english")


def _filled[Texts: (BillTexts, LineTexts)](kept: Texts, now: Texts, names: tuple[str, ...]) -> Texts:
    return replace(kept, **{name: getattr(now, name) for name in names if not getattr(kept, name)})


def _phone_text(phones: list[dict[str, Any]]) -> str:
    """Return the first telephone number with its calling code; empty if there is none."""
    first = next(iter(phones), {})
    code = str(first.get("countryCode", "")).lstrip("+")
    return " ".join(filter(None, (f"+{code}" if code else "", str(first.get("number", "")))))

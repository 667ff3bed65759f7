"""Rules of the papers that customs takes. No database, no clock.

Each rule returns what is missing or wrong as gaps. A gap names the record in which it is mended.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum

from project.core.errors import InvalidFields

HOME = "MX"
TREATY = frozenset({"US", "CA"})
"""The other countries of T-MEC. A certificate of origin is of use there alone."""


class At(StrEnum):
    """The record in which a gap is mended."""

    bill = "bill"
    product = "product"
    company = "company"
    customer = "customer"


@dataclass(frozen=True)
class Gap:
    """What a paper lacks or has wrong. `id` and `name`: of the record in which it is mended."""

    code: str
    at: At
    id: int
    name: str = ""


class OriginRequired(InvalidFields):
    """Nothing can be certified: `gaps` names what is missing, or no product originates."""

    code = "origin_required"


class PeriodTooLong(InvalidFields):
    """A certificate covers at most twelve months."""

    code = "period_too_long"


@dataclass(frozen=True)
class Certifier:
    """Who certifies the origin of a company's goods, and how they are reached."""

    company_id: int
    company_name: str
    name: str
    title: str
    role: str
    email: str
    phone: str
    has_address: bool


@dataclass(frozen=True)
class OriginGoods:
    """A product of a bill. `criterion`: A to D, `none`, or empty if nobody has said it. `tariff`: of 8 to 10 digits."""

    item_id: int
    name: str
    criterion: str
    tariff: str
    amount: Decimal = Decimal(0)

    @property
    def originates(self) -> bool:
        return self.criterion not in ("", "none")


def hs_code(tariff: str) -> str:
    """Return the six digits that all countries share, as `7113.11`."""
    return f"{tariff[:4]}.{tariff[4:6]}" if tariff else ""


def certifier_gaps(certifier: Certifier) -> list[Gap]:
    """Return what the company lacks to certify: elements 1 and 2 of annex 5-A."""
    lacking = {
        "certifier_missing": not (certifier.name and certifier.title and certifier.role),
        "certifier_contact_missing": not (certifier.email and certifier.phone and certifier.has_address),
    }
    return [
        Gap(code, At.company, certifier.company_id, certifier.company_name) for code, lacks in lacking.items() if lacks
    ]


def goods_gaps(goods: Iterable[OriginGoods]) -> list[Gap]:
    """Return what the products lack: elements 6 and 7 of annex 5-A. Each product is named once for each code."""
    gaps = []
    for one in goods:
        if not one.criterion:
            gaps.append(Gap("criterion_missing", At.product, one.item_id, one.name))
        if not one.tariff:
            gaps.append(Gap("tariff_missing", At.product, one.item_id, one.name))
    return list(dict.fromkeys(gaps))


def certified(certifier: Certifier, goods: Iterable[OriginGoods]) -> list[OriginGoods]:
    """Return the goods that the company can certify as originating; none if the certifier's data are incomplete."""
    if certifier_gaps(certifier):
        return []
    return [one for one in goods if one.originates and one.tariff]


def duty_rate(rates: Mapping[date, Decimal], day: date) -> Decimal | None:
    """Return the percentage that goods without a certified origin pay on a day; None if no rate is known for it."""
    begun = [since for since in rates if since <= day]
    return rates[max(begun)] if begun else None


def check_period(begins: date, ends: date) -> None:
    """Raise `InvalidFields` for a period that ends before it begins, and `PeriodTooLong` for over twelve months."""
    if ends < begins:
        raise InvalidFields.of("ends", "before_start")
    if ends > a_year_from(begins):
        raise PeriodTooLong.of("ends", PeriodTooLong.code)


def a_year_from(begins: date) -> date:
    """Return the last day of the twelve months that begin on a day."""
    leap = begins.month == 2 and begins.day == 29
    return begins.replace(year=begins.year + 1, day=28 if leap else begins.day) - timedelta(days=0 if leap else 1)

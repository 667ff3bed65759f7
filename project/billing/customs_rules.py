"""Rules of the papers that customs takes. No database, no clock.

Each rule returns what is missing or wrong as gaps. A gap names the record in which it is mended.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from project.catalogs.tax_ids import RFC, tax_code
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
    """No origin can be certified: `errors` name the missing data, or say that no product originates."""

    code = "origin_required"


class PeriodTooLong(InvalidFields):
    """The period of the certificate is longer than twelve months."""

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
    """A product of a bill. `criterion`: A to D, `none`, or empty if unknown. `tariff`: 8 to 10 digits, or empty."""

    item_id: int
    name: str
    criterion: str
    tariff: str
    amount: Decimal = Decimal(0)

    @property
    def originates(self) -> bool:
        return self.criterion not in ("", "none")


def hs_code(tariff: str) -> str:
    """Return the first six digits of a tariff code, which all countries share, as `7113.11`; empty without a code."""
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
    """Return what the products lack: a criterion of origin or a tariff item, elements 6 and 7 of annex 5-A.

    A product that stands on several lines is named once.
    """
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


# The invoice that customs reads: CFDI 4.0 with the complement Comercio Exterior 2.0.

TAX_IDS = {"US": re.compile(r"\d{9}"), "CA": re.compile(r"\d{9}")}
"""The shape of a tax id in the countries for which the SAT gives one."""
POSTAL_CODES = {"US": re.compile(r"\d{5}(-\d{4})?"), "CA": re.compile(r"[A-Z]\d[A-Z] \d[A-Z]\d")}
CURRENCIES = frozenset({"MXN", "USD"})
RATE_DAYS = 5
"""Most days between the rate and the invoice: the rate of a Thursday is still that of the Monday after a holiday."""
PIECES, PAIRS, SERVICE = "06", "09", "99"
WEIGHTS = {"01": Decimal(1_000), "02": Decimal(1), "16": Decimal(1)}
"""The units of customs that are weights, and their grams."""
FREIGHT = "FLETE"
"""The code of the shipping among the goods."""
CENT, GRAM, UNIT_VALUE = Decimal("0.01"), Decimal("0.001"), Decimal("0.000001")


@dataclass(frozen=True)
class Party:
    """Seller or buyer. `country`: two letters. `place`: the other lines of the address, with their public names."""

    id: int
    name: str
    tax_id: str
    country: str
    postal_code: str
    place: Mapping[str, str]
    regime: str = ""

    @property
    def tax_code(self) -> str:
        return tax_code(self.tax_id)


@dataclass(frozen=True)
class SoldLine:
    """A line of the bill. `mg`: the milligrams of its pieces, None if unknown."""

    item_id: int
    code: str
    name: str
    description: str
    product_code: str
    unit: str
    tariff: str
    quantity: int
    price: Decimal
    amount: Decimal
    mg: int | None


@dataclass(frozen=True)
class Shipment:
    """What an invoice says of a bill. `rate`: pesos for a dollar. `net_grams`: of all boxes; None without boxes."""

    bill_id: int
    number: str
    folio: int | None
    issued: bool
    day: date
    currency: str
    rate: Decimal | None
    rate_day: date | None
    incoterm: str
    payment_form: str
    shipping: Decimal
    tax: Decimal
    seller: Party
    buyer: Party
    lines: tuple[SoldLine, ...]
    net_grams: int | None

    @property
    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines), self.shipping)


@dataclass(frozen=True)
class Fraction:
    """A tariff fraction of the SAT: the unit in which customs counts it, and the days on which it is valid."""

    unit: str
    begins: date
    ends: date | None


@dataclass(frozen=True)
class Facts:
    """What the SAT's catalogs say of the codes in a shipment. Codes that the catalogs do not have are left out.

    `postal_codes`: state, municipality and locality of each postal code. `states`: the codes of the states of the
    buyer's country, by code and by name in small letters; empty if the SAT lists none there. `country`: the buyer's, in
    three letters.
    """

    fractions: Mapping[str, Fraction]
    product_codes: frozenset[str]
    postal_codes: Mapping[str, tuple[str, str, str]]
    states: Mapping[str, str]
    country: str


@dataclass(frozen=True)
class Goods:
    """A kind of goods as customs counts it. Values are in dollars."""

    item_id: int
    code: str
    name: str
    fraction: str
    quantity: Decimal
    unit: str
    value: Decimal

    @property
    def unit_value(self) -> Decimal:
        return (self.value / self.quantity).quantize(UNIT_VALUE, ROUND_HALF_UP) if self.quantity else Decimal(0)


def shared_grams(weights: Sequence[int], whole: int) -> list[int]:
    """Divide `whole` grams in proportion to weights in milligrams, by largest remainder. Each share is at least a gram.

    All shares are 0 if `whole` is less than a gram for each, or if all weights are 0.
    """
    total = sum(weights)
    if not total or whole < len(weights):
        return [0] * len(weights)
    parts = [divmod(whole * weight, total) for weight in weights]
    shares = [grams for grams, _ in parts]
    by_remainder = sorted(range(len(weights)), key=lambda place: parts[place][1], reverse=True)
    for place in by_remainder[: whole - sum(shares)]:
        shares[place] += 1
    for place, share in enumerate(shares):
        if share == 0:
            shares[shares.index(max(shares))] -= 1
            shares[place] = 1
    return shares


def goods_of(shipment: Shipment, facts: Facts) -> list[Goods]:
    """Group a shipment's lines by product code and tariff fraction, in the units of customs.

    The shipping becomes a service among the goods. The grams of all goods add up to the net weight of the boxes;
    without boxes, to the weight of the products.
    """
    groups: dict[tuple[str, str], list[SoldLine]] = {}
    for line in shipment.lines:
        groups.setdefault((line.code, line.tariff), []).append(line)
    weights = [sum(line.mg or 0 for line in lines) for lines in groups.values()]
    net = shipment.net_grams
    whole = int((Decimal(sum(weights)) / 1_000).quantize(Decimal(1), ROUND_HALF_UP)) if net is None else net
    grams = shared_grams(weights, max(whole, len(weights)) if net is None else whole)
    goods = [
        _goods(code, tariff, lines, weight, shipment, facts)
        for ((code, tariff), lines), weight in zip(groups.items(), grams, strict=True)
    ]
    if shipment.shipping:
        value = in_dollars(shipment.shipping, shipment)
        goods.append(Goods(0, FREIGHT, FREIGHT, "", Decimal(1), SERVICE, value))
    return goods


def _goods(code: str, tariff: str, lines: Sequence[SoldLine], grams: int, shipment: Shipment, facts: Facts) -> Goods:
    fraction = facts.fractions.get(tariff)
    unit = fraction.unit if fraction else ""
    quantity = Decimal(grams) / WEIGHTS[unit] if unit in WEIGHTS else Decimal(sum(line.quantity for line in lines))
    value = in_dollars(sum((line.amount for line in lines), Decimal(0)), shipment)
    return Goods(lines[0].item_id, code, lines[0].name, tariff, quantity.quantize(GRAM), unit, value)


def in_dollars(amount: Decimal, shipment: Shipment) -> Decimal:
    """Return an amount of the bill in dollars, rounded half up to the cent; 0 without a rate."""
    if shipment.currency == "USD":
        return amount.quantize(CENT, ROUND_HALF_UP)
    return (amount / shipment.rate).quantize(CENT, ROUND_HALF_UP) if shipment.rate else Decimal(0)


type Found = Iterable[tuple[int, str]]
"""The ids and names of the records that break a rule."""
type Check = Callable[[Shipment, Sequence[Goods], Facts], Found]


def _of_bill(wrong: Callable[[Shipment], bool]) -> Check:
    return lambda shipment, goods, facts: [(shipment.bill_id, shipment.number)] if wrong(shipment) else []


def _of_goods(wrong: Callable[[Shipment, Sequence[Goods]], bool]) -> Check:
    return lambda shipment, goods, facts: [(shipment.bill_id, shipment.number)] if wrong(shipment, goods) else []


def _of_seller(wrong: Callable[[Party, Facts], bool]) -> Check:
    return lambda shipment, goods, facts: (
        [(shipment.seller.id, shipment.seller.name)] if wrong(shipment.seller, facts) else []
    )


def _of_buyer(wrong: Callable[[Party, Facts], bool]) -> Check:
    return lambda shipment, goods, facts: (
        [(shipment.buyer.id, shipment.buyer.name)] if wrong(shipment.buyer, facts) else []
    )


def _of_product(wrong: Callable[[SoldLine, Shipment, Facts], bool]) -> Check:
    return lambda shipment, goods, facts: [
        (line.item_id, line.name) for line in shipment.lines if wrong(line, shipment, facts)
    ]


def _rate_is_old(shipment: Shipment) -> bool:
    if not shipment.rate or not shipment.rate_day:
        return False
    return not timedelta(0) <= shipment.day - shipment.rate_day <= timedelta(days=RATE_DAYS)


def _is_invalid(line: SoldLine, shipment: Shipment, facts: Facts) -> bool:
    fraction = facts.fractions.get(line.tariff)
    return fraction is not None and (
        shipment.day < fraction.begins or (fraction.ends is not None and shipment.day > fraction.ends)
    )


def _unit_of(line: SoldLine, facts: Facts) -> str:
    fraction = facts.fractions.get(line.tariff)
    return fraction.unit if fraction else ""


def _cannot_count(line: SoldLine, shipment: Shipment, facts: Facts) -> bool:
    unit = _unit_of(line, facts)
    counts = unit == PIECES or unit in WEIGHTS or (unit == PAIRS and line.unit == "PR")
    return bool(unit) and not counts


def _lacks(*names: str) -> Callable[[Party, Facts], bool]:
    return lambda party, facts: (
        not all((party.postal_code if name == "postalCode" else party.place.get(name, "")).strip() for name in names)
    )


RULES: Mapping[str, tuple[At, Check]] = {
    "not_issued": (At.bill, _of_bill(lambda bill: not bill.issued)),
    "currency_unsupported": (At.bill, _of_bill(lambda bill: bill.currency not in CURRENCIES)),
    "rate_missing": (At.bill, _of_bill(lambda bill: not bill.rate or bill.rate_day is None)),
    "rate_of_another_day": (At.bill, _of_bill(_rate_is_old)),
    "incoterm_missing": (At.bill, _of_bill(lambda bill: not bill.incoterm)),
    "tax_not_zero": (At.bill, _of_bill(lambda bill: bill.tax != 0)),
    "nothing_sold": (At.bill, _of_bill(lambda bill: bill.total <= 0)),
    "rfc_wrong": (At.company, _of_seller(lambda seller, _: not RFC.fullmatch(seller.tax_code))),
    "regime_missing": (At.company, _of_seller(lambda seller, _: not seller.regime)),
    "seller_address_missing": (At.company, _of_seller(_lacks("street", "postalCode"))),
    "postal_code_unknown": (
        At.company,
        _of_seller(lambda seller, facts: bool(seller.postal_code) and seller.postal_code not in facts.postal_codes),
    ),
    "buyer_at_home": (At.customer, _of_buyer(lambda buyer, facts: buyer.country == HOME or not facts.country)),
    "tax_id_missing": (At.customer, _of_buyer(lambda buyer, _: not buyer.tax_code)),
    "tax_id_wrong": (
        At.customer,
        _of_buyer(
            lambda buyer, _: (
                bool(buyer.tax_code)
                and buyer.country in TAX_IDS
                and not TAX_IDS[buyer.country].fullmatch(buyer.tax_code)
            )
        ),
    ),
    "buyer_address_missing": (At.customer, _of_buyer(_lacks("street", "state", "postalCode"))),
    "postal_code_wrong": (
        At.customer,
        _of_buyer(
            lambda buyer, _: (
                bool(buyer.postal_code)
                and buyer.country in POSTAL_CODES
                and not POSTAL_CODES[buyer.country].fullmatch(buyer.postal_code.upper())
            )
        ),
    ),
    "state_unknown": (
        At.customer,
        _of_buyer(
            lambda buyer, facts: (
                bool(facts.states)
                and bool(buyer.place.get("state", "").strip())
                and buyer.place["state"].strip().lower() not in facts.states
            )
        ),
    ),
    "product_code_missing": (
        At.product,
        _of_product(lambda line, _, facts: line.product_code not in facts.product_codes),
    ),
    "unit_missing": (At.product, _of_product(lambda line, _, __: not line.unit)),
    "tariff_missing": (At.product, _of_product(lambda line, _, __: not line.tariff)),
    "tariff_unknown": (
        At.product,
        _of_product(lambda line, _, facts: bool(line.tariff) and line.tariff not in facts.fractions),
    ),
    "tariff_not_valid": (At.product, _of_product(_is_invalid)),
    "unit_of_fraction": (At.product, _of_product(_cannot_count)),
    "weight_missing": (
        At.product,
        _of_product(lambda line, _, facts: _unit_of(line, facts) in WEIGHTS and not line.mg),
    ),
    "weight_zero": (
        At.bill,
        _of_goods(
            lambda bill, goods: (
                all(one.mg for one in bill.lines) and any(one.unit and not one.quantity for one in goods)
            )
        ),
    ),
    "weight_differs": (At.bill, _of_goods(lambda bill, goods: _weighs_other(bill, goods))),
    "goods_without_line": (
        At.bill,
        _of_goods(
            lambda bill, goods: {one.code for one in goods if one.unit != SERVICE} != {one.code for one in bill.lines}
        ),
    ),
    "goods_twice": (
        At.bill,
        _of_goods(lambda _, goods: len({(one.code, one.fraction) for one in goods}) < len(goods)),
    ),
    "value_differs": (
        At.bill,
        _of_goods(
            lambda bill, goods: bill.currency == "USD" and sum((one.value for one in goods), Decimal(0)) != bill.total
        ),
    ),
}
"""What an invoice for customs must be: for each rule its code, where it is mended, and the check. The schema of the SAT
lets each of these mistakes through, or does not say where it is mended."""


def _weighs_other(shipment: Shipment, goods: Sequence[Goods]) -> bool:
    """Return whether the goods weigh other than the boxes; if some are counted by pieces, whether they weigh more."""
    if shipment.net_grams is None:
        return False
    real = [one for one in goods if one.unit != SERVICE]
    grams = sum((one.quantity * WEIGHTS[one.unit] for one in real if one.unit in WEIGHTS), Decimal(0))
    all_weighed = all(one.unit in WEIGHTS for one in real)
    return grams != shipment.net_grams if all_weighed else grams > shipment.net_grams


def check(shipment: Shipment, goods: Sequence[Goods], facts: Facts) -> list[Gap]:
    """Return what the invoice lacks or has wrong, in the order of the rules, each record once for each rule."""
    return list(
        dict.fromkeys(
            Gap(code, at, record, name)
            for code, (at, broken) in RULES.items()
            for record, name in broken(shipment, goods, facts)
        )
    )

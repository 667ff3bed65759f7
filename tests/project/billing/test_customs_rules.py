"""Each rule of the invoice for customs, with an example that breaks it and nothing else."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, strategies as st

from project.billing import customs_rules as rules
from project.billing.customs_rules import Facts, Fraction, Goods, Party, Shipment, SoldLine, goods_of, shared_grams
from project.core.texts import texts

D = Decimal
SELLER = Party(1, "Obrador", "OBR010101AB1", "MX", "40200", {"street": "Calle 1"}, "601")
BUYER = Party(2, "Silver Inc", "74-1234567", "US", "10001", {"street": "5th Avenue", "state": "ny"})
RING = SoldLine(7, "AN-1", "Anillo", "Anillo de plata", "54101600", "H87", "7113119900", 10, D(12), D(120), 42_000)
CHAIN = replace(RING, item_id=8, code="CA-1", name="Cadena", amount=D(80), mg=21_000)
WHOLE = Shipment(
    bill_id=5,
    number="F-0001",
    folio=1,
    issued=True,
    day=date(2026, 3, 3),
    currency="USD",
    rate=D("18.43"),
    rate_day=date(2026, 3, 2),
    incoterm="FCA",
    payment_form="",
    shipping=D(50),
    tax=D(0),
    seller=SELLER,
    buyer=BUYER,
    lines=(RING, CHAIN),
    net_grams=70,
)
FACTS = Facts(
    fractions={"7113119900": Fraction("01", date(2024, 1, 18), None)},
    product_codes=frozenset({"54101600"}),
    postal_codes={"40200": ("GRO", "055", "04")},
    states={"ny": "NY", "nueva york": "NY"},
    country="USA",
)


def gaps(shipment: Shipment = WHOLE, facts: Facts = FACTS, goods: list[Goods] | None = None) -> list[str]:
    found = goods_of(shipment, facts) if goods is None else goods
    return [gap.code for gap in rules.check(shipment, found, facts)]


def bill(**fields: Any) -> Callable[[], list[str]]:
    return lambda: gaps(replace(WHOLE, **fields))


def seller(**fields: Any) -> Callable[[], list[str]]:
    return bill(seller=replace(SELLER, **fields))


def buyer(**fields: Any) -> Callable[[], list[str]]:
    return bill(buyer=replace(BUYER, **fields))


def line(**fields: Any) -> Callable[[], list[str]]:
    return bill(lines=(replace(RING, **fields), CHAIN))


def facts(**fields: Any) -> Callable[[], list[str]]:
    return lambda: gaps(facts=replace(FACTS, **fields))


def goods(change: Callable[[list[Goods]], list[Goods]]) -> Callable[[], list[str]]:
    return lambda: gaps(goods=change(goods_of(WHOLE, FACTS)))


def fraction(**fields: Any) -> Callable[[], list[str]]:
    known = {"unit": "01", "begins": date(2024, 1, 18), "ends": None}
    return facts(fractions={"7113119900": Fraction(**{**known, **fields})})


EXAMPLES: dict[str, list[Callable[[], list[str]]]] = {
    "not_issued": [bill(issued=False)],
    "currency_unsupported": [lambda: [one for one in bill(currency="EUR")() if one != "value_differs"]],
    "rate_missing": [bill(rate=None), bill(rate=D(0)), bill(rate_day=None)],
    "rate_of_another_day": [bill(rate_day=date(2026, 3, 4)), bill(rate_day=date(2026, 2, 25))],
    "incoterm_missing": [bill(incoterm="")],
    "tax_not_zero": [bill(tax=D("0.01"))],
    "nothing_sold": [
        bill(lines=(replace(RING, amount=D(0)), replace(CHAIN, amount=D(0))), shipping=D(0)),
    ],
    "rfc_wrong": [seller(tax_id=""), seller(tax_id="OBR01")],
    "regime_missing": [seller(regime="")],
    "seller_address_missing": [seller(place={}), seller(postal_code="")],
    "postal_code_unknown": [seller(postal_code="99999")],
    "buyer_at_home": [buyer(country="MX"), facts(country="", states={})],
    "tax_id_missing": [buyer(tax_id=""), buyer(tax_id=" - ")],
    "tax_id_wrong": [buyer(tax_id="1234"), buyer(tax_id="74-123456X")],
    "buyer_address_missing": [
        buyer(place={"state": "NY"}),
        buyer(place={"street": "5th Avenue"}),
        buyer(postal_code=""),
    ],
    "postal_code_wrong": [buyer(postal_code="1000"), buyer(country="CA", tax_id="123456789", postal_code="10001")],
    "state_unknown": [buyer(place={"street": "5th Avenue", "state": "Narnia"})],
    "product_code_missing": [line(product_code=""), line(product_code="99999999")],
    "unit_missing": [line(unit="")],
    "tariff_missing": [lambda: [one for one in line(tariff="")() if one not in ("weight_differs",)]],
    "tariff_unknown": [lambda: [one for one in line(tariff="71131199")() if one not in ("weight_differs",)]],
    "tariff_not_valid": [fraction(ends=date(2026, 3, 2)), fraction(begins=date(2026, 3, 4))],
    "unit_of_fraction": [fraction(unit="08"), fraction(unit="09")],
    "weight_missing": [line(mg=None), line(mg=0)],
    "weight_zero": [bill(net_grams=1)],
    "weight_differs": [goods(lambda rows: [replace(rows[0], quantity=D("0.001")), *rows[1:]])],
    "goods_without_line": [goods(lambda rows: [replace(rows[0], code="OTRO"), *rows[1:]])],
    "goods_twice": [
        goods(
            lambda rows: [
                replace(rows[0], quantity=D("0.020"), value=D(60)),
                replace(rows[0], quantity=rows[0].quantity - D("0.020"), value=rows[0].value - D(60)),
                *rows[1:],
            ]
        )
    ],
    "value_differs": [goods(lambda rows: [replace(rows[0], value=rows[0].value + D("0.01")), *rows[1:]])],
}


def test_a_whole_shipment_breaks_no_rule() -> None:
    assert gaps() == []


def test_every_rule_has_an_example() -> None:
    assert set(EXAMPLES) == set(rules.RULES)


@pytest.mark.parametrize(
    ("code", "number"), [(code, number) for code, some in EXAMPLES.items() for number in range(len(some))]
)
def test_an_example_breaks_its_rule(code: str, number: int) -> None:
    found = EXAMPLES[code][number]()
    assert code in found
    # What weighs too little also differs from the boxes.
    assert set(found) <= {code, *({"weight_differs"} if code == "weight_zero" else ())}


def test_every_rule_has_a_text_in_both_languages() -> None:
    for language in ("es", "en"):
        assert set(rules.RULES) <= texts(language).keys()


def test_a_record_is_named_once_for_each_rule() -> None:
    twice = replace(WHOLE, lines=(replace(RING, unit=""), replace(RING, unit="", quantity=3), CHAIN))
    [gap] = rules.check(twice, goods_of(twice, FACTS), FACTS)
    assert (gap.code, gap.id, gap.name) == ("unit_missing", 7, "Anillo")


def test_a_country_without_a_shape_takes_any_tax_id() -> None:
    german = replace(
        BUYER, country="DE", tax_id="DE 123", postal_code="D-1", place={"street": "Weg", "state": "Bayern"}
    )
    assert gaps(replace(WHOLE, buyer=german), replace(FACTS, country="DEU", states={})) == []
    assert german.tax_code == "DE123"


def test_names_with_enye_and_ampersand_have_an_rfc() -> None:
    assert gaps(replace(WHOLE, seller=replace(SELLER, tax_id="ñ&a 010101-ab1"))) == []


@pytest.mark.parametrize(("unit", "quantity"), [("01", "0.047"), ("02", "47.000"), ("16", "47.000"), ("06", "10.000")])
def test_goods_are_counted_in_the_unit_of_their_fraction(unit: str, quantity: str) -> None:
    known = replace(FACTS, fractions={"7113119900": Fraction(unit, date(2024, 1, 18), None)})
    ring, chain, freight = goods_of(WHOLE, known)
    assert (str(ring.quantity), ring.unit, ring.value) == (quantity, unit, D(120))
    assert (chain.code, freight.code, freight.unit, freight.value) == ("CA-1", "FLETE", "99", D(50))


def test_lines_of_one_product_are_one_kind_of_goods() -> None:
    three = replace(WHOLE, lines=(RING, CHAIN, replace(RING, quantity=5, amount=D(60), mg=21_000)))
    ring, chain, _ = goods_of(three, FACTS)
    assert (ring.value, ring.quantity + chain.quantity) == (D(180), D("0.070"))


def test_pesos_are_converted_by_the_rate_and_zero_is_no_crash() -> None:
    pesos = replace(WHOLE, currency="MXN", rate=D("18.43"))
    assert [one.value for one in goods_of(pesos, FACTS)] == [D("6.51"), D("4.34"), D("2.71")]
    assert gaps(pesos) == []
    assert gaps(replace(pesos, rate=D(0))) == ["rate_missing"]


def test_without_boxes_goods_weigh_what_the_products_weigh() -> None:
    ring, chain, _ = goods_of(replace(WHOLE, net_grams=None), FACTS)
    assert (ring.quantity, chain.quantity) == (D("0.042"), D("0.021"))


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=200), st.integers(0, 10**6))
def test_shares_add_up_to_the_whole_and_none_is_zero(weights: list[int], spare: int) -> None:
    whole = len(weights) + spare
    shares = shared_grams(weights, whole)
    assert sum(shares) == whole
    assert min(shares) >= 1
    heaviest, lightest = weights.index(max(weights)), weights.index(min(weights))
    assert shares[heaviest] >= shares[lightest]


def test_too_few_grams_are_shared_by_nobody() -> None:
    assert shared_grams([5, 5, 5], 2) == [0, 0, 0]
    assert shared_grams([0, 0], 9) == [0, 0]

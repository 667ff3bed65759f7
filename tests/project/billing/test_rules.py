"""The rules of deliveries: allowed actions by status, rounding, sums and billable lines."""

from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, strategies as st

from project.billing import rules
from project.billing.rules import (
    BillAction,
    BillStatus,
    LineNotDone,
    PiecesToBill,
    QuantityExceedsRemaining,
    check_billable,
)
from project.core.errors import Refusal
from project.core.money import decimals_of
from project.orders.rules import Status

ALLOWED = {("PreBill", name) for name in ("edit", "bill", "cancel", "export", "numbers")} | {
    ("Billed", "cancel"),
    ("Billed", "export"),
    ("Billed", "numbers"),
    ("Billed", "settle"),
}


def refused_with(status: BillStatus, action: BillAction, *, sealed: bool, settled: bool) -> str | None:
    if (status, action) not in ALLOWED:
        return "not_issued" if (status, action) == ("PreBill", "settle") else f"already_{status.value.lower()}"
    if settled and action == "cancel":
        return "already_settled"
    return "already_sealed" if sealed and action in ("cancel", "export") else None


@pytest.mark.parametrize(
    ("status", "action", "sealed", "settled"), [*product(BillStatus, BillAction, (False, True), (False, True))]
)
def test_every_status_allows_its_actions_and_refuses_the_others_with_a_code(
    status: BillStatus, action: BillAction, sealed: bool, settled: bool
) -> None:
    code = refused_with(status, action, sealed=sealed, settled=settled)
    if code is None:
        rules.check(status, action, sealed=sealed, settled=settled)
        return
    with pytest.raises(Refusal) as refused:
        rules.check(status, action, sealed=sealed, settled=settled)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("currency", "quantity", "price", "tax", "amount", "taxed"),
    [
        ("MXN", 1, "0.005", "0", "0.01", "0.00"),
        ("MXN", 1, "0.0049", "16", "0.00", "0.00"),
        ("MXN", 3, "0.335", "0", "1.01", "0.00"),
        ("MXN", 1, "1.25", "2", "1.25", "0.03"),
        ("MXN", 1, "100.45", "16", "100.45", "16.07"),
        ("MXN", 1_000_000, "0.0001", "16", "100.00", "16.00"),
        ("JPY", 3, "0.5", "10", "2", "0"),
        ("CLP", 1, "1990", "19", "1990", "378"),
        ("CLP", 7, "10.0715", "19", "71", "13"),
        ("BHD", 3, "0.3335", "10", "1.001", "0.100"),
        ("KWD", 1, "0.0005", "0", "0.001", "0.000"),
    ],
)
def test_amounts_are_rounded_half_up_to_the_currencys_decimals(
    currency: str, quantity: int, price: str, tax: str, amount: str, taxed: str
) -> None:
    found = rules.line_amount(quantity=quantity, price=Decimal(price), tax_amount=Decimal(tax), currency=currency)
    assert (str(found.amount), str(found.tax)) == (amount, taxed)


price = st.decimals(min_value=0, max_value=10_000, places=7)
percentage = st.decimals(min_value=0, max_value=100, places=4)
line = st.tuples(st.integers(1, 10_000), price, percentage)
currencies = st.sampled_from([("JPY", 0), ("MXN", 2), ("BHD", 3)])


@given(currencies, st.lists(line, max_size=20), st.decimals(min_value=0, max_value=10_000, places=0))
def test_total_is_exactly_the_sum_of_the_lines_and_shipping(
    found: tuple[str, int], lines: list[tuple[int, Decimal, Decimal]], shipping: Decimal
) -> None:
    currency, decimals = found
    amounts = [
        rules.line_amount(quantity=count, price=each, tax_amount=tax, currency=currency) for count, each, tax in lines
    ]
    whole = rules.totals(amounts, shipping)
    assert whole.total == sum((one.amount + one.tax for one in amounts), Decimal(0)) + shipping
    assert whole.total == whole.subtotal + whole.tax + shipping
    assert decimals_of(whole.total) <= decimals


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize(("left", "wanted"), [(5, 5), (5, 6), (0, 1)])
def test_only_remaining_pieces_of_done_lines_can_be_billed(status: Status, left: int, wanted: int) -> None:
    one = PiecesToBill(status=status, left=left, wanted=wanted)
    fine = PiecesToBill(status=Status.Done, left=1, wanted=1)
    if status not in (Status.Done, Status.Invoiced):
        with pytest.raises(LineNotDone) as refused:
            check_billable([fine, one])
        assert [(error.field, error.code) for error in refused.value.errors] == [("lines.1.position", "line_not_done")]
    elif wanted > left:
        with pytest.raises(QuantityExceedsRemaining) as refused:
            check_billable([fine, one])
        assert [(error.field, error.code, error.params) for error in refused.value.errors] == [
            ("lines.1.quantity", "quantity_exceeds_remaining", {"remaining": left})
        ]
        assert refused.value.params == {"remaining": left}
    else:
        check_billable([fine, one])


def test_params_of_several_exceeded_lines_are_of_the_first() -> None:
    lines = [PiecesToBill(Status.Done, left, wanted=5) for left in (5, 3, 2)]
    with pytest.raises(QuantityExceedsRemaining) as refused:
        check_billable(lines)
    assert [error.field for error in refused.value.errors] == ["lines.1.quantity", "lines.2.quantity"]
    assert refused.value.params == {"remaining": 3}


def test_lines_not_done_are_reported_before_missing_pieces() -> None:
    lines = [PiecesToBill(Status.Done, 1, wanted=5), PiecesToBill(Status.InProcess, 5, wanted=5)]
    with pytest.raises(LineNotDone) as refused:
        check_billable(lines)
    assert [error.field for error in refused.value.errors] == ["lines.1.position"]


def test_total_without_lines_is_the_shipping() -> None:
    whole = rules.totals([], Decimal("4.50"))
    assert (whole.subtotal, whole.tax, whole.total) == (0, 0, Decimal("4.50"))


@pytest.mark.parametrize(
    ("number", "pre_bill_number", "text"),
    [(1, 7, "F-0001"), (0, None, "F-0000"), (12345, None, "F-12345"), (None, 7, "P-0007"), (None, None, "P-0000")],
)
def test_number_has_the_prefix_of_bill_or_pre_bill(number: int | None, pre_bill_number: int | None, text: str) -> None:
    assert rules.number_text(number, pre_bill_number) == text


def test_price_is_proposed_only_in_its_own_currency() -> None:
    assert rules.proposed_price(Decimal("9.25"), "MXN", of_bill="MXN") == Decimal("9.25")
    assert rules.proposed_price(Decimal("9.25"), "MXN", of_bill="USD") is None

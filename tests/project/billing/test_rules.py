"""States and sums of deliveries: every pair, every rounding (contract, section 5)."""

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
from project.orders.rules import Status

ALLOWED = {("PreBill", name) for name in ("edit", "bill", "cancel", "export", "numbers")} | {
    ("Billed", "cancel"),
    ("Billed", "export"),
    ("Billed", "numbers"),
}


@pytest.mark.parametrize(("status", "action"), [*product(BillStatus, BillAction)])
def test_every_state_allows_its_deeds_and_refuses_the_others_by_name(status: BillStatus, action: BillAction) -> None:
    if (status, action) in ALLOWED:
        rules.check(status, action)
        return
    with pytest.raises(Refusal) as refused:
        rules.check(status, action)
    assert refused.value.code == f"already_{status.value.lower()}"


@pytest.mark.parametrize(
    ("quantity", "price", "tax", "amount", "taxed"),
    [
        (1, "0.005", "0", "0.01", "0.00"),
        (1, "0.0049", "16", "0.00", "0.00"),
        (3, "0.335", "0", "1.01", "0.00"),
        (1, "1.25", "2", "1.25", "0.03"),
        (1, "100.45", "16", "100.45", "16.07"),
        (1_000_000, "0.0001", "16", "100.00", "16.00"),
    ],
)
def test_amounts_are_rounded_half_up_to_cents(quantity: int, price: str, tax: str, amount: str, taxed: str) -> None:
    found = rules.line_amount(quantity=quantity, price=Decimal(price), tax_amount=Decimal(tax))
    assert (found.amount, found.tax) == (Decimal(amount), Decimal(taxed))


price = st.decimals(min_value=0, max_value=10_000, places=4)
percentage = st.decimals(min_value=0, max_value=100, places=4)
line = st.tuples(st.integers(1, 10_000), price, percentage)


@given(st.lists(line, max_size=20), st.decimals(min_value=0, max_value=10_000, places=2))
def test_the_sum_of_the_lines_is_the_total_to_the_cent(
    lines: list[tuple[int, Decimal, Decimal]], shipping: Decimal
) -> None:
    amounts = [rules.line_amount(quantity=count, price=each, tax_amount=tax) for count, each, tax in lines]
    whole = rules.totals(amounts, shipping)
    assert whole.total == sum((one.amount + one.tax for one in amounts), Decimal(0)) + shipping
    assert whole.total == whole.subtotal + whole.tax + shipping
    assert -whole.total.as_tuple().exponent <= 2


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize(("left", "wanted"), [(5, 5), (5, 6), (0, 1)])
def test_only_pieces_of_done_lines_are_billed_and_each_once(status: Status, left: int, wanted: int) -> None:
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


def test_what_of_several_lines_is_missing_is_told_of_the_first() -> None:
    lines = [PiecesToBill(Status.Done, left, wanted=5) for left in (5, 3, 2)]
    with pytest.raises(QuantityExceedsRemaining) as refused:
        check_billable(lines)
    assert [error.field for error in refused.value.errors] == ["lines.1.quantity", "lines.2.quantity"]
    assert refused.value.params == {"remaining": 3}


def test_lines_that_are_not_done_are_told_before_pieces_that_are_missing() -> None:
    lines = [PiecesToBill(Status.Done, 1, wanted=5), PiecesToBill(Status.InProcess, 5, wanted=5)]
    with pytest.raises(LineNotDone) as refused:
        check_billable(lines)
    assert [error.field for error in refused.value.errors] == ["lines.1.position"]


def test_a_bill_of_no_lines_comes_to_its_shipping_in_cents() -> None:
    whole = rules.totals([], Decimal("4.50"))
    assert (str(whole.subtotal), str(whole.tax), str(whole.total)) == ("0.00", "0.00", "4.50")


@pytest.mark.parametrize(
    ("number", "pre_bill_number", "text"),
    [(1, 7, "F-0001"), (0, None, "F-0000"), (12345, None, "F-12345"), (None, 7, "P-0007"), (None, None, "P-0000")],
)
def test_a_number_says_what_it_is_of(number: int | None, pre_bill_number: int | None, text: str) -> None:
    assert rules.number_text(number, pre_bill_number) == text


def test_a_price_is_proposed_in_its_own_currency_alone() -> None:
    assert rules.proposed_price(Decimal("9.25"), "MXN", of_bill="MXN") == Decimal("9.25")
    assert rules.proposed_price(Decimal("9.25"), "MXN", of_bill="USD") is None

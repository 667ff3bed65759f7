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

ALLOWED = {("PreBill", name) for name in ("edit", "bill", "cancel", "export")} | {
    ("Billed", "cancel"),
    ("Billed", "export"),
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
        assert [error.field for error in refused.value.errors] == ["lines.1.position"]
    elif wanted > left:
        with pytest.raises(QuantityExceedsRemaining) as refused:
            check_billable([fine, one])
        assert refused.value.errors[0].params == {"remaining": left}
    else:
        check_billable([fine, one])

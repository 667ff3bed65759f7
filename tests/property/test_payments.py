"""After any sequence of movements, releases, payments and cancellations, no record is paid beyond its pieces."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import Sum
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from project.orders.models import ProcessRecord
from project.piecework.models import PaymentItem
from tests.builders import Answer, Shop, move, release
from tests.project.piecework.paying import EARNINGS, PAYABLES, cancel, item, pay
from tests.property.walking import walk

PIECES = 12

choices = st.integers(0, 30)
quantities = st.integers(1, PIECES + 1)
prices = st.decimals(0, 99, places=4)


@dataclass
class Paid:
    """A payment of the model. `items`: record → pieces and amount."""

    items: dict[int, tuple[int, Decimal]]
    canceled: bool = False


@dataclass
class Book:
    """The model: id → payment."""

    payments: dict[int, Paid] = field(default_factory=dict)

    def standing(self) -> list[Paid]:
        return [payment for payment in self.payments.values() if not payment.canceled]

    def paid(self, record: int) -> int:
        return sum(payment.items.get(record, (0, Decimal(0)))[0] for payment in self.standing())

    def total(self) -> Decimal:
        return sum((amount for one in self.standing() for _, amount in one.items.values()), Decimal(0))


class PieceWork(RuleBasedStateMachine):
    """Move, release, pay and cancel pieces of one line in one process, and compare the book with the database."""

    def __init__(self, shop: Shop) -> None:
        super().__init__()
        self.shop = shop
        self.book = Book()

    @initialize()
    def begin(self) -> None:
        self.order = self.shop.approved(PIECES)

    @rule(into=st.booleans(), quantity=quantities)
    def move(self, into: bool, quantity: int) -> None:
        move(self.shop.ana, "in" if into else "out", self.order, self.shop.casting, quantity)

    @rule(quantity=st.integers(1, 4))
    def make(self, quantity: int) -> None:
        for direction in ("in", "out"):
            move(self.shop.ana, direction, self.order, self.shop.casting, quantity)

    @rule(movement=st.sampled_from(["", "in", "out"]))
    def release(self, movement: str) -> None:
        before = {record.pk: record for record in self.records()}
        answer = release(self.shop.ana, self.order, self.shop.casting, movement)
        for record in self.records():
            if self.book.paid(record.pk):
                assert record.released_at is None
                assert record.output_at == before[record.pk].output_at, answer

    @rule(choice=choices, quantity=quantities, price=prices)
    def pay_one(self, choice: int, quantity: int, price: Decimal) -> None:
        records = self.records()
        if records:
            self.pay({records[choice % len(records)].pk: quantity}, price)

    @rule(price=prices)
    def pay_all_that_is_left(self, price: Decimal) -> None:
        rows = self.shop.ana.get(f"{PAYABLES}?pending=true&search={self.po()}").json
        if rows:
            answer = self.pay({row["id"]: row["remainingQuantity"] for row in rows}, price)
            assert answer.status == 201, answer

    @rule(choice=choices)
    def cancel(self, choice: int) -> None:
        if self.book.payments:
            payment = sorted(self.book.payments)[choice % len(self.book.payments)]
            answer = cancel(self.shop.ana, payment)
            assert answer.status == (409 if self.book.payments[payment].canceled else 200), answer
            self.book.payments[payment].canceled = True

    def pay(self, pieces: dict[int, int], price: Decimal) -> Answer:
        answer = pay(self.shop.ana, *(item(record, quantity, float(price)) for record, quantity in pieces.items()))
        records = {record.pk: record for record in self.records()}
        possible = all(
            records[pk].output_at and not records[pk].released_at and self.book.paid(pk) + count <= records[pk].quantity
            for pk, count in pieces.items()
        )
        assert (answer.status == 201) == possible, (pieces, answer)
        if possible:
            amounts = {
                pk: (count, (count * price).quantize(Decimal("0.01"), ROUND_HALF_UP)) for pk, count in pieces.items()
            }
            self.book.payments[answer.json["id"]] = Paid(amounts)
        return answer

    def records(self) -> list[ProcessRecord]:
        return list(ProcessRecord.objects.filter(line__order=self.order).order_by("id"))

    def po(self) -> str:
        return str(
            ProcessRecord.objects.filter(line__order=self.order)
            .values_list("line__order__customer_sales_order_id", flat=True)
            .first()
        )

    @invariant()
    def the_book_and_the_database_agree(self) -> None:
        if not hasattr(self, "order"):
            return
        for record in self.records():
            assert record.quantity_paid == self.book.paid(record.pk) <= record.quantity
        standing = PaymentItem.objects.filter(payment__in=self.book.payments, payment__status="Paid")
        assert (standing.aggregate(sum=Sum("amount"))["sum"] or 0) == self.book.total()

    def teardown(self) -> None:
        """Cancel all payments, and check that nothing counts as paid."""
        for payment, known in self.book.payments.items():
            if not known.canceled:
                assert cancel(self.shop.ana, payment).status == 200
        assert self.shop.ana.get(EARNINGS).json["paid"] == 0


def test_no_record_is_paid_beyond_its_pieces_after_any_sequence(shop: Shop) -> None:
    walk(lambda: PieceWork(shop), steps=60, a_life=20)

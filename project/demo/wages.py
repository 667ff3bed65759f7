"""Pays the piece work of the demo workshop: each Saturday the pieces of the week, one payment first by mistake."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from decimal import Decimal
from itertools import groupby

from project.access.principal import Principal
from project.core import clock
from project.orders.models import LEFT_TO_PAY, ProcessRecord
from project.piecework import services
from project.piecework.schemas import PaymentItemIn

WEEKS = 5
SATURDAY = 5
CAME = 2
"""The number of people who are paid on the last Saturday."""


def pay_the_weeks(*, by: Principal, now: datetime) -> None:
    """Pay the weeks up to the last Saturday, one payment for each person and week.

    Some pieces of the last week and all later pieces stay unpaid. The first payment of each week is entered for the
    wrong week, canceled and made again.
    """
    *earlier, last = _paydays(now)
    for payday in (*earlier, last):
        with clock.at(payday):
            _pay_a_week(by, at_most=CAME if payday == last else None)


def _paydays(now: datetime) -> Iterator[datetime]:
    """Yield the past `WEEKS` Saturdays at one o'clock, oldest first."""
    today = now.astimezone(clock.plant()).date()
    last = today - timedelta(days=(today.weekday() - SATURDAY) % 7 or 7)
    for weeks in reversed(range(WEEKS)):
        yield datetime.combine(last - timedelta(weeks=weeks), time(13), tzinfo=clock.plant())


def _pay_a_week(by: Principal, *, at_most: int | None) -> None:
    left = ProcessRecord.objects.filter(LEFT_TO_PAY, output_at__lt=clock.now()).order_by("output_by", "id")
    week = clock.today().isocalendar().week
    weeks = [(earner, list(records)) for earner, records in groupby(left, key=lambda record: record.output_by_id)]
    for number, (earner, records) in enumerate(weeks[:at_most]):
        items = [
            PaymentItemIn.model_construct(
                process_record_id=record.pk, quantity=record.quantity, price=record.price or Decimal(0)
            )
            for record in records
        ]
        notes = [f"Semana {week - 1}", f"Semana {week}"] if number == 0 else [f"Semana {week}"]
        for place, text in enumerate(notes, start=1):
            payment = services.payment_create(date=clock.today(), payee_id=earner, notes=text, items=items, by=by)
            if place < len(notes):
                services.payment_cancel(payment_id=payment.pk, notes="Se capturó con la semana anterior", by=by)

"""What the demo workshop has billed of the orders that are done: in full, in part, canceled, and a pre-bill."""

from collections.abc import Iterable
from itertools import groupby

from project.access.principal import Principal
from project.core import clock
from project.deliveries import services as deliveries
from project.deliveries.models import Delivery
from project.deliveries.services import DeliveryFields, Wanted
from project.orders.models import Line
from project.orders.rules import Status


def bill_what_is_done(by: Principal) -> None:
    """Bill the oldest orders that are done in full; what is left of them can be billed by whoever looks around."""
    lines = Line.objects.filter(order__status=Status.Done, status=Status.Done).order_by("order", "position")
    orders = [list(rows) for _, rows in groupby(lines, key=lambda line: line.order_id)]
    for number, rows in enumerate(orders[:4], start=1):
        _bill(rows, number, by)


def _bill(lines: list[Line], number: int, by: Principal) -> None:
    whole, part, canceled, pre_bill = (number == place for place in (1, 2, 3, 4))
    delivery = _delivery(lines if whole or canceled else lines[:1], number, pre_bill=pre_bill, part=part, by=by)
    if canceled:
        deliveries.delivery_cancel(delivery_id=delivery.pk, by=by)


def _delivery(lines: Iterable[Line], number: int, *, pre_bill: bool, part: bool, by: Principal) -> Delivery:
    header = DeliveryFields(
        date=clock.today(),
        guide_number="" if pre_bill else f"GUIA-{4700 + number}",
        invoice_number="" if pre_bill else f"F-{1200 + number}",
        custom_regime="EXD",
        currency="USD",
    )
    wanted = [Wanted(line.order_id, line.position, line.quantity // 2 if part else line.quantity) for line in lines]
    return deliveries.delivery_create(header=header, lines=wanted, pre_bill=pre_bill, by=by)

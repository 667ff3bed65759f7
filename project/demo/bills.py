"""Bills done orders of the demo workshop: one in full, one in part, one by mistake, and a pre-bill."""

from datetime import datetime, time, timedelta
from decimal import Decimal
from itertools import groupby
from typing import Any

from project.access.principal import Principal
from project.billing import services as billing
from project.billing.models import Bill
from project.billing.schemas import DeliveryIn, DeliveryLineIn
from project.core import clock
from project.core.money import rounded
from project.orders.models import Line
from project.orders.rules import Status

PESOS = {"MXN": Decimal(1), "USD": Decimal("18.50")}
"""The value of each currency in pesos, for bills in a currency that is not the currency of the product's price."""


def bill_what_is_done(by: Principal) -> None:
    """Bill some of the oldest orders that are done. The rest is left for users of the demo to bill."""
    done = Line.objects.select_related("item", "order__customer")
    lines = done.filter(order__status=Status.Done, status=Status.Done).order_by("order", "position")
    orders = [list(rows) for _, rows in groupby(lines, key=lambda line: line.order_id)]
    stories = (_in_full, _half_of_the_first_line, _by_mistake, _pre_bill)
    for number, (rows, story) in enumerate(zip(orders, stories, strict=False), start=1):
        with clock.at(_next_morning(rows)):
            story(rows, number, by)


def _next_morning(lines: list[Line]) -> datetime:
    """Return ten o'clock of the day after an order was done, when the parcel leaves."""
    done = max(line.done_at for line in lines if line.done_at)
    return datetime.combine(clock.day_of(done) + timedelta(days=1), time(10), tzinfo=clock.plant())


def _in_full(lines: list[Line], number: int, by: Principal) -> Bill:
    return _billed([_whole(line) for line in lines], number, by)


def _half_of_the_first_line(lines: list[Line], number: int, by: Principal) -> None:
    line = lines[0]
    _billed([_wanted(line, line.quantity // 2)], number, by)


def _by_mistake(lines: list[Line], number: int, by: Principal) -> None:
    billing.bill_cancel(bill_id=_in_full(lines, number, by).pk, by=by)


def _pre_bill(lines: list[Line], _: int, by: Principal) -> None:
    _made([_whole(lines[0])], by, pre_bill=True)


def _billed(wanted: list[DeliveryLineIn], number: int, by: Principal) -> Bill:
    return _made(wanted, by, guide_number=f"GUIA-{4700 + number}", invoice_number=f"F-{1200 + number}")


def _made(lines: list[DeliveryLineIn], by: Principal, **fields: Any) -> Bill:
    """Create a bill, dated that day, for a customer abroad."""
    sent = {"custom_regime": "EXD", "date": clock.today(), "lines": lines} | fields
    return billing.bill_create(body=DeliveryIn.model_validate(sent, by_name=True), by=by)


def _whole(line: Line) -> DeliveryLineIn:
    return _wanted(line, line.quantity - line.quantity_scrapped)


def _wanted(line: Line, quantity: int) -> DeliveryLineIn:
    item, currency = line.item, line.order.customer.currency
    price = rounded(item.sell_price * PESOS[item.currency] / PESOS[currency], currency)
    sent = {"sales_order_id": line.order_id, "position": line.position, "quantity": quantity, "price": price}
    return DeliveryLineIn.model_validate(sent, by_name=True)

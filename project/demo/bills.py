"""What the demo workshop has billed of the orders that are done: in full, in part, by mistake, and a pre-bill."""

from decimal import Decimal
from itertools import groupby

from project.access.principal import Principal
from project.billing import services as billing
from project.billing.models import Bill
from project.billing.services import BillFields, Wanted
from project.core import clock
from project.core.money import rounded
from project.orders.models import Line
from project.orders.rules import Status

ABROAD = BillFields(custom_regime="EXD")
PESOS = {"MXN": Decimal(1), "USD": Decimal("18.50")}
"""What a unit of a currency was worth: for what is billed in another one than its product's price."""


def bill_what_is_done(by: Principal) -> None:
    """Bill the oldest orders that are done in full; what is left of them can be billed by whoever looks around."""
    done = Line.objects.select_related("item", "order__customer")
    lines = done.filter(order__status=Status.Done, status=Status.Done).order_by("order", "position")
    orders = [list(rows) for _, rows in groupby(lines, key=lambda line: line.order_id)]
    stories = (_in_full, _half_of_the_first_line, _by_mistake, _pre_bill)
    for number, (rows, story) in enumerate(zip(orders, stories, strict=False), start=1):
        story(rows, number, by)


def _in_full(lines: list[Line], number: int, by: Principal) -> Bill:
    return _billed([_whole(line) for line in lines], number, by)


def _half_of_the_first_line(lines: list[Line], number: int, by: Principal) -> None:
    line = lines[0]
    _billed([_wanted(line, line.quantity // 2)], number, by)


def _by_mistake(lines: list[Line], number: int, by: Principal) -> None:
    billing.bill_cancel(bill_id=_in_full(lines, number, by).pk, by=by)


def _pre_bill(lines: list[Line], _: int, by: Principal) -> None:
    header = ABROAD | BillFields(date=clock.today())
    billing.bill_create(header=header, lines=[_whole(lines[0])], pre_bill=True, by=by)


def _billed(wanted: list[Wanted], number: int, by: Principal) -> Bill:
    numbers = BillFields(guide_number=f"GUIA-{4700 + number}", invoice_number=f"F-{1200 + number}")
    header = ABROAD | numbers | BillFields(date=clock.today())
    return billing.bill_create(header=header, lines=wanted, pre_bill=False, by=by)


def _whole(line: Line) -> Wanted:
    return _wanted(line, line.quantity)


def _wanted(line: Line, quantity: int) -> Wanted:
    item, currency = line.item, line.order.customer.currency
    price = rounded(item.sell_price * PESOS[item.currency] / PESOS[currency], currency)
    return Wanted(line.order_id, line.position, quantity, price)

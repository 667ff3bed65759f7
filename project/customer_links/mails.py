"""The content of a link's weekly mail (`notices.links`): the state of lines that are open or were shipped lately."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from django.utils.translation import override

from project.core import clock
from project.core.texts import named, text
from project.customer_links import presenters, selectors
from project.customer_links.models import CustomerLink
from project.customer_links.rules import Stage
from project.customer_links.schemas import PageLine, PageOrder
from project.notices.links import LinkContent

SHIPPED_TOLD = timedelta(days=14)
"""How long after its shipment a line is still in the mail."""


def content_of(link_id: int, language: str) -> LinkContent | None:
    """Return the content of a link's mail in a language; None if the link is over or gone.

    Leaves out what changes often without news, such as the days of a forecast.
    """
    link = CustomerLink.objects.select_related("customer", "order").filter(pk=link_id).first()
    if link is None or selectors.is_over(link):
        return None
    page = presenters.page(replace(selectors.shown_by_link(link), photos=False, papers=False))
    with override(language):
        rows = tuple(row for order in page.orders for row in _rows(order))
        return LinkContent(page.customer_name, rows or (text("link_mail_nothing_open"),))


def _rows(order: PageOrder) -> Iterator[str]:
    """Yield a text for each line of an order, such as "PO-1042 · 1 · Anillo liso: en producción, paso 3 de 8"."""
    since = clock.today() - SHIPPED_TOLD
    numbers: dict[int, str] = {}
    for shipment in order.shipments:
        if shipment.date >= since:
            numbers |= dict.fromkeys((one.position for one in shipment.lines), shipment.tracking_number)
    for line in order.lines:
        if line.stage is Stage.canceled or (line.stage is Stage.shipped and line.position not in numbers):
            continue
        name = named(line.item_name, line.item_name_english)
        yield f"{order.customer_sales_order_id} · {line.position} · {name}: {_state(line, numbers)}{_agreed(line)}"


def _agreed(line: PageLine) -> str:
    """Return the agreed day of an open line in words; empty if there is none. The days late change without news."""
    if line.delivery_date is None or line.stage not in (Stage.waiting, Stage.in_production, Stage.ready):
        return ""
    return f", {text('link_mail_agreed', {'day': str(line.delivery_date)})}"


def _state(line: PageLine, numbers: dict[int, str]) -> str:
    """Return the stage of a line in words, with the tracking number of its shipment if `numbers` has one."""
    if line.step is not None:
        said = text("link_mail_step", {"step": line.step, "steps": line.steps})
    else:
        said = text(f"link_mail_{line.stage.value}")
    number = numbers.get(line.position)
    return f"{said}, {text('link_mail_tracking', {'number': number})}" if number else said

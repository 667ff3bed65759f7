"""How each write answers a repeated `Idempotency-Key`: as the GET of the written record answers now.

The path of the write decides which GET this is: the GET of the record at that path, or else of the nearest record
above. A repeated creation is answered with the record that the first request created. `NOT_KEPT` and `EXCEPTIONS` list
the exceptions. The server does not start if a write has no matching GET.
"""

import inspect
import re
from typing import Any

from django.http import HttpRequest
from ninja import NinjaAPI

from project.access.guard import caller
from project.catalogs import selectors as catalogs
from project.catalogs.api import item_prices_written
from project.catalogs.definition import CATALOGS, CatalogDefinition
from project.core.errors import NotFound
from project.core.idempotency import Repeat, View, gone
from project.core.pictures import Pictured, picture_of
from project.importing.api import import_get
from project.importing.registry import IMPORTS
from project.metal.api import days_closed, entry_get, lot_get
from project.notices.api import bell as notice_bell, preferences_get
from project.notifications import selectors as notification_selectors
from project.notifications.events import document
from project.orders.api import line_get
from project.orders.models import ProcessRecord
from project.orders.selectors import line_get as line_row
from project.piecework.api import payments_paid

NOT_KEPT = {
    "sign_in": "answers a token",
    "sign_out": "ends the token that would ask again",
    "recover_password": "nobody is signed in",
    "reset_password": "nobody is signed in",
    "user_change_password": "ends the token that would ask again",
    "permission_describe": "reads",
    "live_ticket": "answers a ticket",
    "display_pairing_create": "nobody is signed in, and it answers a secret",
    "station_operator": "answers a token",
    "service_token_create": "answers a token",
    "webhook_secret_create": "answers a secret",
    "user_badge_create": "answers a code that nobody reads again",
    "item_called": "reads",
    "order_file_read": "reads",
    "sample_load": "loads once, whatever is repeated",
    "scan": "reads",
    "station_scan": "reads",
    "work_sheet_print": "reads",
    "labels_print": "reads",
    "delivery_print": "reads",
    "payment_print": "reads",
    "payments_print": "reads",
    "delivery_export_print": "reads",
    "customer_link_create": "answers a token",
    "customer_page_answer_create": "its own key is stored with the answer",
    "page_answer_create": "nobody is signed in; its own key is stored with the answer",
    "page_ticket": "nobody is signed in, and it answers a ticket",
    "notice_unsubscribe": "nobody is signed in",
    "metal_slip_print": "reads",
}
"""Operations, other than GETs, that store no `Idempotency-Key`, and why."""

RECORD_STAYS = ("display_delete", "service_account_delete", "delivery_cancel", "customer_link_delete")
"""DELETEs after which the record can still be read."""


def _picture(row: Pictured) -> Any:
    """Return the picture of `row`. Raises `NotFound` if the picture has been removed."""
    found = picture_of(row)
    if found is None:
        raise NotFound
    return found


def _entry_picture(definition: CatalogDefinition[Any]) -> View:
    def picture(request: HttpRequest, entry_id: int) -> Any:
        return _picture(catalogs.entry_get(definition.rows(), entry_id))

    return picture


def _line_picture(request: HttpRequest, order_id: int, position: int) -> Any:
    return _picture(line_row(order_id, position))


def _notification(request: HttpRequest, notification_id: int) -> Any:
    row = notification_selectors.find(notification_id, caller(request))
    if row is None:
        raise NotFound
    return document(row, read=True)


def _handed_over(request: HttpRequest, record_id: int) -> Any:
    line = ProcessRecord.objects.select_related("line").get(pk=record_id).line
    return line_get(request, line.order_id, line.position)


def _none_left_unread(request: HttpRequest) -> Any:
    return []


EXCEPTIONS: dict[str, Repeat] = {
    "sales_order_position_picture_put": Repeat(_line_picture, 201),
    "station_hand_over": Repeat(_handed_over, made="record_id"),
    "payment_for_people_create": Repeat(payments_paid, 201, made="payment_ids"),
    "metal_lot_create": Repeat(lot_get, 201, made="lot_id"),
    "metal_entry_create": Repeat(entry_get, 201, made="entry_id"),
    "metal_day_for_people_create": Repeat(days_closed, 201, made="day_ids"),
    "process_item_price_set": Repeat(item_prices_written, made="price_ids"),
    "notification_read": Repeat(_notification),
    "notification_read_all": Repeat(_none_left_unread),
    "notice_preferences_update": Repeat(preferences_get),
    "notice_bell_read": Repeat(notice_bell),
}
EXCEPTIONS |= {f"{one.slug}_import_create": Repeat(import_get, 201, made="import_id") for one in IMPORTS.values()}
EXCEPTIONS |= {
    f"{one.slug}_picture_put": Repeat(_entry_picture(one), 201)
    for one in CATALOGS.values()
    if issubclass(one.model, Pictured)
}


def repeats_of(api: NinjaAPI) -> dict[str, Repeat]:
    """Return how to answer a repeat, for each write of `api` that stores a key, by operation id.

    Raises `LookupError` if a write has no matching GET.
    """
    reads: dict[str, View] = {}
    writes: list[tuple[str, str, Any]] = []
    for bound in api._get_bound_routers():
        for path, view in bound.path_operations.items():
            whole = re.sub(r"\{\w+:", "{", bound.prefix + path)
            for operation in view.operations:
                if "GET" in operation.methods:
                    reads[whole] = inspect.unwrap(operation.view_func)
                elif operation.operation_id not in NOT_KEPT:
                    writes.append((operation.methods[0], whole, operation))
    return {one.operation_id: _repeat(method, path, one, reads) for method, path, one in writes}


def _repeat(method: str, path: str, operation: Any, reads: dict[str, View]) -> Repeat:
    if operation.operation_id in EXCEPTIONS:
        return EXCEPTIONS[operation.operation_id]
    if 201 in operation.response_models:
        below = next((one for one in reads if re.fullmatch(re.escape(path) + r"/\{\w+\}", one)), None)
        if below is None:
            raise LookupError(f"{operation.operation_id}: no GET reads what it creates: see {__name__}")
        return Repeat(reads[below], 201, made=below.rpartition("{")[2].removesuffix("}"))
    if method == "DELETE" and path in reads and operation.operation_id not in RECORD_STAYS:
        return Repeat(gone)
    record = path
    while record not in reads or not record.endswith("}"):
        record, slash, _ = record.rpartition("/")
        if not slash:
            raise LookupError(f"{operation.operation_id}: no GET reads what it writes: see {__name__}")
    return Repeat(reads[record])

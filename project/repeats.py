"""How each write answers a repeated `Idempotency-Key`: by the view that reads what the first request made.

Every write stands here or in `NOT_KEPT`; a test walks the OpenAPI for one that does not.
"""

from typing import Any

from django.http import HttpRequest

from project.access.guard import caller
from project.billing.api import delivery_get
from project.catalogs import selectors as catalogs
from project.catalogs.api import RESOURCES
from project.catalogs.resources import Resource
from project.core.errors import NotFound
from project.core.idempotency import Repeat, gone
from project.core.pictures import Pictured, picture_of
from project.displays.api import display_get
from project.identity.api import role_get
from project.importing.api import import_get
from project.importing.importable import IMPORTABLE
from project.integrations.api import service_account_get, webhook_get
from project.notifications import selectors as notification_selectors
from project.notifications.events import document
from project.orders.api import line_get, order_get
from project.orders.models import ProcessRecord
from project.orders.selectors import line_get as line_row
from project.piecework.api import payment_get
from project.staffing.api import PROCESSES, user_get

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
    "scan": "reads",
    "station_scan": "reads",
    "work_sheet_print": "reads",
    "delivery_print": "reads",
    "payment_print": "reads",
    "delivery_export_print": "reads",
}


def _catalog(resource: Resource[Any]) -> dict[str, Repeat]:
    """The writes of one catalog."""
    definition, name = resource.definition, resource.name

    def entry(request: HttpRequest, entry_id: int) -> Any:
        row = catalogs.entry_get(definition.rows(), entry_id)
        return resource.present(row)

    def picture(request: HttpRequest, entry_id: int) -> Any:
        return _picture(catalogs.entry_get(definition.rows(), entry_id))

    found = {
        f"{name}_create": Repeat(entry, 201, made="entry_id"),
        f"{name}_update": Repeat(entry),
        f"{name}_delete": Repeat(gone),
    }
    if issubclass(definition.model, Pictured):
        found |= {
            f"{name}_picture_put": Repeat(picture, 201),
            f"{name}_picture_remove": Repeat(entry),
            f"{name}_picture_remove_by_file": Repeat(entry),
        }
    return found


def _picture(row: Pictured) -> Any:
    """Raises `NotFound` where the picture was removed since."""
    found = picture_of(row)
    if found is None:
        raise NotFound
    return found


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


_LINE_WRITES = (
    "update",
    "update_status",
    "picture_remove",
    "process_in",
    "process_out",
    "release",
    "release_movement",
    "record_undo",
)

WRITES: dict[str, Repeat] = {
    "role_create": Repeat(role_get, 201, made="role_id"),
    "role_update": Repeat(role_get),
    "role_delete": Repeat(gone),
    "user_create": Repeat(user_get, 201, made="user_id"),
    "user_update": Repeat(user_get),
    "user_change_language": Repeat(user_get),
    "user_change_pin": Repeat(user_get),
    "user_badge_delete": Repeat(user_get),
    "user_delete": Repeat(gone),
    "user_erase": Repeat(user_get),
    "display_create": Repeat(display_get, 201, made="display_id"),
    "display_update": Repeat(display_get),
    "display_delete": Repeat(display_get),
    "service_account_create": Repeat(service_account_get, 201, made="account_id"),
    "service_account_update": Repeat(service_account_get),
    "service_account_delete": Repeat(service_account_get),
    "webhook_create": Repeat(webhook_get, 201, made="webhook_id"),
    "webhook_update": Repeat(webhook_get),
    "webhook_replay": Repeat(webhook_get),
    "webhook_delete": Repeat(gone),
    "sales_order_create": Repeat(order_get, 201, made="order_id"),
    "sales_order_update": Repeat(order_get),
    "sales_order_approve": Repeat(order_get),
    "sales_order_delete": Repeat(gone),
    "sales_order_position_create": Repeat(line_get, 201, made="position"),
    "sales_order_position_picture_put": Repeat(_line_picture, 201),
    "station_hand_over": Repeat(_handed_over, made="record_id"),
    "delivery_create": Repeat(delivery_get, 201, made="delivery_id"),
    "delivery_update": Repeat(delivery_get),
    "delivery_export_update": Repeat(delivery_get),
    "delivery_cancel": Repeat(delivery_get),
    "payment_create": Repeat(payment_get, 201, made="payment_id"),
    "payment_cancel": Repeat(payment_get),
    "notification_read": Repeat(_notification),
    "notification_read_all": Repeat(_none_left_unread),
    "import_apply": Repeat(import_get),
    "import_refresh": Repeat(import_get),
    "import_discard": Repeat(gone),
}
WRITES |= {f"sales_order_position_{verb}": Repeat(line_get) for verb in _LINE_WRITES}
WRITES |= {f"{one.name}_import_create": Repeat(import_get, 201, made="import_id") for one in IMPORTABLE.values()}
for _resource in (*RESOURCES, PROCESSES):
    WRITES |= _catalog(_resource)

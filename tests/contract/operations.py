"""The operations of the API, as its OpenAPI document describes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from project.api import api

# Operations open to everyone who is signed in, each with the reason.
SIGNED_IN = {
    "sign_out": "everyone may sign out",
    "permission_describe": "their own permissions; those of others are tested with identity",
    "customer_type_list": "every form with a customer needs it",
    "customer_type_get": "as its list",
    "tax_section_list": "every form with a customer needs it",
    "tax_section_get": "as its list",
    "release_reason_list": "people who release choose one, people who read a history see one",
    "release_reason_get": "as its list",
    "scrap_reason_list": "people who report scrap choose one",
    "scrap_reason_get": "as its list",
    "user_change_language": "their own language only",
    "shared_catalogs": "every form needs codes",
    "catalogs_workbook": "a sheet for each catalog that they may list",
    "shop_floor_own": "their own processes only",
    "earnings_own": "the earnings of their own work only",
    "report_scrap_own": "the scrap of their own work only",
    "metal_own": "their own metal only",
    "notification_unread": "their own notifications only",
    "notification_read": "their own notifications only",
    "notification_read_all": "their own notifications only",
    "notice_preferences_get": "their own choices only",
    "notice_preferences_update": "their own choices only",
    "notice_device_list": "their own browsers only",
    "notice_device_create": "their own browsers only",
    "notice_device_get": "their own browsers only",
    "notice_device_delete": "their own browsers only",
    "notice_device_test": "their own browsers only",
    "notice_bell": "their own notices only",
    "notice_bell_read": "their own notices only",
    "import_get": "their own uploads only",
    "import_rows": "their own uploads only",
    "import_apply": "their own uploads; each row needs the permission to write it",
    "import_refresh": "their own uploads only",
    "import_discard": "their own uploads only",
    "import_mend": "their own uploads only",
    "import_refused": "their own uploads only",
    "live_ticket": "events are filtered by permission one by one",
}
# Operations open to customer accounts, each with what they read there. All others refuse them.
CUSTOMERS = {
    "sign_out": "everyone may sign out",
    "permission_describe": "their own, which is the same for all of them",
    "user_get": "themselves",
    "personal_data_get": "the data kept about themselves",
    "user_change_password": "their own",
    "live_ticket": "each event is narrowed for them",
    "shared_catalogs": "names of statuses, countries and currencies",
    "sales_order_list": "their orders",
    "sales_order_get": "their orders",
    "sales_order_position_list": "their lines",
    "sales_order_position_get": "their lines",
    "work_sheet_get": "the code of their lines",
    "work_sheet_print": "sheets of their lines, without notes",
    "work_sheet_progress": "a print of their own",
    "scan": "codes of their lines",
    "search": "their orders and lines, no customer and no product",
    "delivery_search": "their bills",
    "delivery_totals": "totals of their bills",
    "delivery_get": "their bills",
    "delivery_print": "their bills",
    "delivery_export_print": "their bills",
    "customer_page_get": "their orders, as a page by link",
    "customer_page_answer_create": "what they say about their lines",
    "customer_page_paper": "papers of their bills",
}
# Operations open to everyone, without a token.
PUBLIC = {
    "sign_in",
    "recover_password",
    "reset_password",
    "display_pairing_create",
    "display_pairing_get",
    "privacy_get",
    "page_get",
    "page_ticket",
    "page_answer_create",
    "page_paper",
    "notice_unsubscribe",
}


@dataclass(frozen=True)
class Operation:
    """One operation. The caller needs one of `permissions`. `path` has its parameters filled in."""

    name: str
    method: str
    template: str
    permissions: frozenset[str]
    description: Any

    @property
    def path(self) -> str:
        """The path with ids that do not exist, and with valid words."""
        filled = self.template.replace("{run_id}", "00000000-0000-4000-8000-000000000000")
        filled = re.sub(r"\{(\w*id|position)\}", "999999", filled)
        words = {"movement": "in", "status": "Approved", "name_image": "retrato", "reference": "retrato", "kind": "csv"}
        words |= {"secret": "x" * 43, "token": "x" * 43, "paper": "invoice"}
        words |= {"start_date": "2026-03-01", "end_date": "2026-03-31", "days": "7"}
        return re.sub(r"\{(\w+)\}", lambda match: words[match[1]], filled)

    @property
    def takes_file(self) -> bool:
        """Whether its body is a file and not JSON."""
        return "application/json" not in self.description.get("requestBody", {}).get("content", {"application/json": 0})

    @property
    def parameters(self) -> frozenset[str]:
        """The names of its parameters, without the body."""
        return frozenset(parameter["name"] for parameter in self.description.get("parameters", ()))

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI document."""
    return dict(api.get_openapi_schema(path_prefix=""))


def operations() -> Iterator[Operation]:
    """All operations, with their shared parameters written out."""
    shared = schema()["components"]["parameters"]
    for path, methods in schema()["paths"].items():
        for method, described in methods.items():
            named = described.get("parameters", ())
            parameters = [shared[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one for one in named]
            operation = described | {"parameters": parameters}
            yield Operation(
                operation["operationId"], method.upper(), path, frozenset(operation["x-permissions"]), operation
            )

"""The operations of the API as its OpenAPI describes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from project.api import api

# Open to anyone who is signed in, each for a reason.
SIGNED_IN = {
    "sign_out": "everybody may leave",
    "permission_describe": "everybody may ask for his own; somebody else's is tested with identity",
    "customer_type_list": "every form with a customer needs it",
    "customer_type_get": "as its list",
    "tax_section_list": "every form with a customer needs it",
    "tax_section_get": "as its list",
    "release_reason_list": "whoever releases chooses one, whoever reads a history sees one",
    "release_reason_get": "as its list",
    "scrap_reason_list": "whoever works chooses one",
    "scrap_reason_get": "as its list",
    "user_change_language": "his own, and nobody else's",
    "shared_catalogs": "every form needs codes",
    "catalogs_workbook": "a sheet for each catalog he may list, and no other",
    "shop_floor_own": "his own processes and nothing else",
    "earnings_own": "what his own work earned and nothing else",
    "notification_unread": "his own notifications and nobody else's",
    "notification_read": "his own notifications and nobody else's",
    "notification_read_all": "his own notifications and nobody else's",
    "import_get": "his own uploads and nobody else's",
    "import_rows": "his own uploads and nobody else's",
    "import_apply": "his own uploads; a row needs the right to write it",
    "import_refresh": "his own uploads and nobody else's",
    "import_discard": "his own uploads and nobody else's",
    "live_ticket": "events are filtered by permission one by one",
}
# Open to accounts of type Customer, each for a reason. What is not here refuses them.
CUSTOMERS = {
    "sign_out": "everybody may leave",
    "permission_describe": "their own, which is the same for all of them",
    "user_get": "themselves",
    "personal_data_get": "what is kept of themselves",
    "user_change_password": "their own",
    "live_ticket": "what they hear of is narrowed event by event",
    "shared_catalogs": "names of statuses, countries and currencies",
    "sales_order_list": "their orders",
    "sales_order_get": "their orders",
    "sales_order_position_list": "their lines",
    "sales_order_position_get": "their lines",
    "work_sheet_get": "the code of a line of theirs",
    "work_sheet_print": "sheets of their lines, without notes",
    "work_sheet_progress": "a print of their own",
    "scan": "codes of their lines",
    "search": "their orders and lines, no customer and no product",
    "delivery_search": "their bills",
    "delivery_totals": "what their bills come to",
    "delivery_get": "their bills",
    "delivery_print": "their bills",
    "delivery_export_print": "their bills",
}
# Open to all.
PUBLIC = {
    "sign_in",
    "recover_password",
    "reset_password",
    "display_pairing_create",
    "display_pairing_get",
    "privacy_get",
}


@dataclass(frozen=True)
class Operation:
    """One operation: `permissions` are those of which one is needed, `path` has its parameters filled."""

    name: str
    method: str
    template: str
    permissions: frozenset[str]
    description: Any

    @property
    def path(self) -> str:
        """Numbers that stand for nothing, and a word where a word is expected."""
        filled = self.template.replace("{run_id}", "00000000-0000-4000-8000-000000000000")
        filled = re.sub(r"\{(\w*id|position)\}", "999999", filled)
        words = {"movement": "in", "status": "Approved", "name_image": "retrato", "reference": "retrato", "kind": "csv"}
        words |= {"secret": "x" * 43}
        words |= {"start_date": "2026-03-01", "end_date": "2026-03-31", "days": "7"}
        return re.sub(r"\{(\w+)\}", lambda match: words[match[1]], filled)

    @property
    def takes_file(self) -> bool:
        """Whether its body is a file and not JSON."""
        return "application/json" not in self.description.get("requestBody", {}).get("content", {"application/json": 0})

    @property
    def parameters(self) -> frozenset[str]:
        """The names of what it takes beside a body."""
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
    """All of them."""
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            yield Operation(
                operation["operationId"], method.upper(), path, frozenset(operation["x-permissions"]), operation
            )

"""Every operation of the API as a service account calls it: with all permissions, and without the one it needs."""

import pytest

from project.access.guard import SignedIn
from project.access.permissions import ALL, OF_SERVICES, Permission
from project.api import api
from project.core.routing import PUBLIC
from project.integrations.models import ServicePermission
from tests import builders
from tests.builders import Caller
from tests.contract.operations import SIGNED_IN, Operation, operations
from tests.project.integrations.programs import program

OPEN = {
    "customer_type_list",
    "customer_type_get",
    "tax_section_list",
    "tax_section_get",
    "release_reason_list",
    "release_reason_get",
    "scrap_reason_list",
    "scrap_reason_get",
    "tray_list",
    "tray_get",
    "shared_catalogs",
    "import_get",
    "import_rows",
    "import_apply",
    "import_refresh",
    "import_discard",
    "import_mend",
    "import_refused",
    "live_ticket",
}
"""The operations a service account may call without a permission: codes, its own imports, its events.

The other operations in `SIGNED_IN` are for people.
"""
OF_ACCOUNTS = {"customer_page_get", "customer_page_answer_create", "customer_page_paper"}
"""The page of a customer's account, which no other account has."""
OF_PEOPLE = {
    *("line_message_list", "line_message_get", "line_message_create", "line_message_come"),
    *("calendar_get", "calendar_create", "calendar_delete"),
}
"""What people say to each other about a line, and the address of their own calendar."""
EVERY = sorted((one for one in operations() if one.name not in PUBLIC), key=str)


@pytest.fixture(scope="module")
def caller(module_db: None) -> Caller:
    """The only service account, with every permission that it can have."""
    found, _ = program(builders.shop(), *OF_SERVICES)
    return found


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_account_with_every_possible_permission_cannot_reach_users_or_roles(
    caller: Caller, db: None, operation: Operation
) -> None:
    answer = caller.call(operation.method, operation.path, {} if operation.method != "GET" else None)
    if operation.name in OPEN or (
        operation.permissions & OF_SERVICES and operation.name not in OF_ACCOUNTS | OF_PEOPLE
    ):
        assert answer.status in (200, 201, 404, 415, 422), answer
    else:
        assert (answer.status, answer.code) == (403, "permission_denied"), answer


def test_permissions_over_users_and_rights_cannot_be_given_to_an_account() -> None:
    assert {
        *(Permission(f"{verb}{record}") for verb in ("Create", "Update", "Delete") for record in ("User", "Role")),
        *(
            Permission.ListUsers,
            Permission.ListRoles,
            Permission.ListPermissions,
            Permission.ManageDisplays,
            Permission.ManageIntegrations,
            Permission.ManageCustomerLinks,
        ),
        Permission.ManagePersonalData,
        *(Permission.ChangePassword, Permission.NoAutoLogoutInactivity, Permission.Station),
    } == ALL - OF_SERVICES
    opened = {
        str(operation.operation_id)
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        for guard in operation.auth_callbacks
        if isinstance(guard, SignedIn) and guard.services and not getattr(guard, "actions", ())
    }
    assert opened == OPEN <= set(SIGNED_IN)


@pytest.mark.parametrize("operation", [one for one in EVERY if one.permissions & OF_SERVICES], ids=str)
def test_operation_without_its_permission_is_refused_even_as_options(
    caller: Caller, db: None, operation: Operation
) -> None:
    ServicePermission.objects.filter(action__in=operation.permissions).delete()
    for query in ("", "?fields=options"):
        answer = caller.call(operation.method, operation.path + query, {} if operation.method != "GET" else None)
        assert (answer.status, answer.code) == (403, "permission_denied"), answer

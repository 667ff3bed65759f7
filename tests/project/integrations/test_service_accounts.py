"""What a service account may do, its token, and its end."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access import token
from project.access.guard import SignedIn
from project.access.permissions import ALL, OF_SERVICES, Permission
from project.api import api
from project.audit.models import AuditEntry
from project.core import clock
from project.core.errors import Unauthenticated
from project.identity.models import User
from project.integrations.models import ServiceAccount
from tests.builders import Caller, Shop, line_path, move, somebody
from tests.contract.operations import PUBLIC, SIGNED_IN, Operation, operations
from tests.project.integrations.programs import ACCOUNTS, account_of, make_token, program

pytestmark = pytest.mark.django_db

OPEN = {
    "customer_type_list",
    "customer_type_get",
    "tax_section_list",
    "tax_section_get",
    "release_reason_list",
    "release_reason_get",
    "scrap_reason_list",
    "scrap_reason_get",
    "shared_catalogs",
    "import_get",
    "import_rows",
    "import_apply",
    "import_refresh",
    "import_discard",
    "live_ticket",
}
"""What a service account calls without a permission: codes, its own uploads, its events. All else of `SIGNED_IN` is a
person's own."""
EVERY = sorted((one for one in operations() if one.name not in PUBLIC), key=str)


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_with_every_permission_it_may_have_it_reaches_nothing_of_persons_and_rights(
    shop: Shop, operation: Operation
) -> None:
    caller, _ = program(shop, *OF_SERVICES)
    answer = caller.call(operation.method, operation.path, {} if operation.method != "GET" else None)
    if operation.name in OPEN or operation.permissions & OF_SERVICES:
        assert answer.status in (200, 201, 404, 415, 422), answer
    else:
        assert (answer.status, answer.code) == (403, "permission_denied"), answer


def test_nothing_that_says_who_may_do_what_can_be_given_to_it() -> None:
    assert {
        *(Permission(f"{verb}{record}") for verb in ("Create", "Update", "Delete") for record in ("User", "Role")),
        *(
            Permission.ListUsers,
            Permission.ListRoles,
            Permission.ListPermissions,
            Permission.ManageDisplays,
            Permission.ManageIntegrations,
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
def test_what_it_was_not_given_is_refused_and_so_are_reduced_lists(shop: Shop, operation: Operation) -> None:
    caller, _ = program(shop, *(OF_SERVICES - operation.permissions))
    for query in ("", "?fields=options"):
        answer = caller.call(operation.method, operation.path + query, {} if operation.method != "GET" else None)
        assert (answer.status, answer.code) == (403, "permission_denied"), answer


def test_a_permission_that_no_service_account_may_have_is_refused_by_its_field(shop: Shop) -> None:
    answer = shop.ana.post(ACCOUNTS, {"name": "Tienda", "permissions": [Permission.ListItems, Permission.UpdateUser]})
    assert (answer.status, answer.fields) == (422, {"permissions.1": "not_a_choice"})


def test_what_stands_in_the_table_beyond_what_it_may_have_counts_for_nothing(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    row = ServiceAccount.objects.get(pk=account["id"])
    row.permissions.create(action=Permission.UpdateUser)
    assert caller.get("/api/items").status == 200
    assert caller.put(f"/identity/users/{shop.carla.id}", {"locked": True}).status == 403


def test_nobody_gives_it_more_than_he_holds_nor_makes_a_token_of_one_that_may_more(shop: Shop) -> None:
    keeper = somebody(Permission.ManageIntegrations, Permission.ListItems, Permission.ListRoles)
    refused = keeper.post(ACCOUNTS, {"name": "Tienda", "permissions": [Permission.ListItems, Permission.CreateItem]})
    assert (refused.status, refused.json["params"]) == (403, {"missing": [Permission.CreateItem]})
    assert not User.objects.filter(user_type="Service").exists()
    account = account_of(shop, Permission.ListItems, Permission.CreateItem)
    path = f"{ACCOUNTS}/{account['id']}"
    for answer in (
        make_token(keeper, account),
        keeper.put(path, {"name": "Mía"}),
        keeper.put(path, {"permissions": [Permission.ListItems]}),
        keeper.post(ACCOUNTS, {"name": "Piso", "productionProcessIds": [shop.casting.pk]}),
    ):
        assert (answer.status, answer.code) == (403, "permission_denied"), answer
    own = keeper.post(ACCOUNTS, {"name": "Suya", "permissions": [Permission.ListItems]})
    assert own.status == 201
    assert make_token(keeper, own.json).status == 201
    # To end one is always a help.
    assert keeper.delete(path).status == 200


def test_only_who_manages_integrations_reads_and_makes_them(shop: Shop) -> None:
    everything_else = somebody(*(ALL - {Permission.ManageIntegrations}))
    assert everything_else.get(ACCOUNTS).status == 403
    assert everything_else.post(ACCOUNTS, {"name": "Mía"}).status == 403


def test_what_it_does_is_done_and_audited_in_its_own_name(shop: Shop) -> None:
    actions = (
        Permission.CreateSalesOrder,
        Permission.ListSalesOrders,
        Permission.UpdateSalesOrderPositionStatus,
        Permission.SalesOrderPositionProcessIn,
    )
    caller, account = program(shop, *actions, productionProcessIds=[shop.casting.pk])
    body = {
        "customerId": shop.customer.pk,
        "customerSalesOrderId": "WEB-1",
        "items": [{"itemId": shop.item.pk, "quantity": 5}],
    }
    made = caller.post("/api/sales-order", body, idempotency_key="web-1")
    again = caller.post("/api/sales-order", body, idempotency_key="web-1")
    assert (made.status, again.status, again.headers["Idempotent-Replayed"]) == (201, 201, "true")
    assert again.json["id"] == made.json["id"]
    order = made.json["id"]
    assert caller.put(f"{line_path(order)}/update-status/Approved").status == 200
    assert move(caller, "in", order, shop.casting, 2).status == 200
    refused = move(caller, "in", order, shop.polishing, 2)
    assert (refused.status, refused.code) == (403, "not_your_process")
    assert [row["inputUsername"] for row in shop.history(order)] == ["Contabilidad"]
    done = AuditEntry.objects.filter(user_id=account["userId"])
    assert {(row.user_name, row.entity) for row in done} == {
        ("Contabilidad", "sales-order"),
        ("Contabilidad", "sales-order-position"),
    }


def test_its_rights_are_read_in_one_query_and_when_it_was_seen_is_written_once_a_minute(shop: Shop) -> None:
    caller, account = program(shop, *OF_SERVICES)
    path = f"{ACCOUNTS}/{account['id']}"
    assert shop.ana.get(path).json["lastSeen"] is None
    assert caller.bearer is not None
    with CaptureQueriesContext(connection) as asked:
        token.verify(caller.bearer)
    assert [query["sql"].split()[0] for query in asked] == ["SELECT", "UPDATE"]
    with clock.at(clock.now() + timedelta(seconds=50)), CaptureQueriesContext(connection) as asked:
        token.verify(caller.bearer)
    assert len(asked) == 1
    first = shop.ana.get(path).json
    assert first["lastSeen"] is not None
    with clock.at(clock.now() + timedelta(seconds=70)):
        token.verify(caller.bearer)
    later = shop.ana.get(path).json
    assert later["lastSeen"] > first["lastSeen"]
    assert later["version"] == first["version"]


def test_the_token_is_recognisable_told_once_and_kept_as_a_digest(shop: Shop) -> None:
    account = account_of(shop, Permission.ListItems)
    assert (account["hasToken"], account["expiresAt"]) == (False, None)
    last = clock.today() + timedelta(days=90)
    made = make_token(shop.ana, account, last)
    secret = made.json["token"]
    assert made.json == {"id": account["id"], "version": 2, "token": secret}
    assert secret.startswith("obr_")
    assert len(secret) == 47
    read = shop.ana.get(f"{ACCOUNTS}/{account['id']}")
    assert read.json["hasToken"]
    assert secret not in read.text
    kept = str([*ServiceAccount.objects.values_list(), *AuditEntry.objects.values_list()])
    assert secret not in kept
    assert "•••" in kept
    assert Caller(bearer=secret).get("/api/items").status == 200


def test_a_new_token_ends_the_one_before_at_once(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    renewed = Caller(bearer=make_token(shop.ana, account).json["token"])
    assert (caller.get("/api/items").status, renewed.get("/api/items").status) == (401, 200)
    stale = make_token(shop.ana, account, if_match='"1"')
    assert (stale.status, stale.code) == (412, "stale_version")
    assert renewed.get("/api/items").status == 200


def test_a_token_is_over_at_the_end_of_its_last_day(shop: Shop) -> None:
    account = account_of(shop, Permission.ListItems)
    last = clock.today() + timedelta(days=2)
    caller = Caller(bearer=make_token(shop.ana, account, last).json["token"])
    with clock.at(clock.end_of(last) - timedelta(seconds=1)):
        assert caller.get("/api/items").status == 200
    with clock.at(clock.end_of(last)):
        assert (caller.get("/api/items").status, caller.post("/api/live/ticket").status) == (401, 401)


@pytest.mark.parametrize("days", [-1, 731])
def test_a_last_day_that_is_past_or_too_far_off_is_refused(shop: Shop, days: int) -> None:
    answer = make_token(shop.ana, account_of(shop, Permission.ListItems), clock.today() + timedelta(days=days))
    assert (answer.status, answer.fields) == (422, {"expiresOn": "date_out_of_range"})


def test_a_revoked_account_is_refused_at_once_and_is_final(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    path = f"{ACCOUNTS}/{account['id']}"
    ended = shop.ana.delete(path)
    assert (ended.status, ended.json["active"], ended.json["hasToken"]) == (200, False, False)
    for answer in (caller.get("/api/items"), caller.post("/api/live/ticket")):
        assert (answer.status, answer.code) == (401, "unauthenticated")
    for again in (shop.ana.delete(path), shop.ana.put(path, {"name": "Otra"}), make_token(shop.ana, account)):
        assert (again.status, again.code) == (409, "service_account_revoked")
    with pytest.raises(IntegrityError), transaction.atomic():
        ServiceAccount.objects.filter(pk=account["id"]).update(token_digest="0" * 64)
    account_of(shop, name=account["name"])  # its name is free again


def test_what_it_may_do_changes_at_once(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    changed = shop.ana.put(f"{ACCOUNTS}/{account['id']}", {"permissions": [Permission.ListMaterials]})
    assert (changed.status, changed.json["permissions"]) == (200, [Permission.ListMaterials])
    assert (caller.get("/api/items").status, caller.get("/api/materials").status) == (403, 200)


@pytest.mark.parametrize("bearer", ["obr_", "obr_x", "obr_" + "x" * 43, "obr_\x7f", "obr_" + "A" * 5_000])
def test_a_token_that_is_made_up_opens_nothing(shop: Shop, bearer: str) -> None:
    account_of(shop, Permission.ListItems)
    assert Caller(bearer=bearer).get("/api/items").status == 401


def test_nobody_signs_in_as_it_and_nobody_administers_it_as_a_user(shop: Shop, quick_passwords: None) -> None:
    _, account = program(shop, Permission.ListItems)
    row = User.objects.get(pk=account["userId"])
    for password in ("", "!", row.password, "Taller.2026"):
        answer = shop.nobody.post("/identity/authentication/sign-in", {"username": row.email, "password": password})
        assert (answer.status, answer.code) == (401, "invalid_credentials")
    path = f"/identity/users/{row.pk}"
    for refused in (
        shop.ana.get(path),
        shop.ana.put(path, {"password": "Taller.2026"}),
        shop.ana.put(path, {"userType": "Internal"}),
        shop.ana.put(f"{path}/pin", {"pin": "482913"}),
        shop.ana.post(f"{path}/badge"),
        shop.ana.delete(path),
    ):
        assert (refused.status, refused.code) == (404, "not_found"), refused
    assert row.pk not in {user["id"] for user in shop.ana.get("/identity/users").json}
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=row.pk).update(pin_hash="0" * 64)


def test_a_session_s_own_kind_of_token_does_not_open_its_account(shop: Shop) -> None:
    """Nobody issues one; whoever could would have the account's processes and none of its permissions."""
    _, account = program(shop, Permission.ListItems)
    row = User.objects.get(pk=account["userId"])
    assert Caller(row).get("/api/items").status == 403
    User.objects.filter(pk=row.pk).update(active=False)
    with pytest.raises(Unauthenticated):
        token.verify(token.issue(row))


def test_they_are_listed_searched_and_told_apart_by_whether_they_are_active(shop: Shop) -> None:
    gone = account_of(shop, name="Bodega")
    shop.ana.delete(f"{ACCOUNTS}/{gone['id']}")
    for name in ("Pasillo", "Entrada"):
        account_of(shop, Permission.ListItems, name=name, productionProcessIds=[shop.casting.pk])

    def names(query: str = "") -> list[str]:
        return [row["name"] for row in shop.ana.get(f"{ACCOUNTS}?{query}").json]

    assert names() == ["Bodega", "Entrada", "Pasillo"]
    assert names("active=true") == ["Entrada", "Pasillo"]
    assert names("active=false") == ["Bodega"]
    assert names("search=PASI") == ["Pasillo"]
    with CaptureQueriesContext(connection) as few:
        names("limit=1")
    with CaptureQueriesContext(connection) as many:
        names()
    assert len(many) <= len(few)
    assert shop.ana.get(f"{ACCOUNTS}/999999").status == 404
    same = shop.ana.post(ACCOUNTS, {"name": "entrada"})
    assert (same.status, same.fields) == (409, {"name": "already_exists"})


def test_the_audit_says_who_gave_it_what(shop: Shop) -> None:
    _, account = program(shop, Permission.ListItems)
    path = f"{ACCOUNTS}/{account['id']}"
    assert shop.ana.put(path, {"permissions": []}, if_match='"1"').code == "stale_version"
    shop.ana.put(path, {"permissions": [Permission.ListItems, Permission.ListMaterials]})
    shop.ana.delete(path)
    rows: list[Any] = list(
        AuditEntry.objects.filter(entity="service-accounts").order_by("id").values_list("action", "changes")
    )
    assert [action for action, _ in rows] == ["created", "changed", "changed", "deleted"]
    assert rows[1][1]["token"] == {"before": None, "after": "•••"}
    assert rows[2][1] == {"permissions": {"before": ["ListItems"], "after": ["ListItems", "ListMaterials"]}}
    assert rows[3][1] == {"active": {"before": True, "after": False}}

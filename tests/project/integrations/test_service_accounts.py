"""Service accounts: what they may do, their tokens, and revocation."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access import token
from project.access.permissions import ALL, OF_SERVICES, Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.core.errors import Unauthenticated
from project.identity.models import User
from project.integrations.models import ServiceAccount
from tests.builders import Caller, Shop, line_path, move, somebody
from tests.project.integrations.programs import ACCOUNTS, account_of, make_token, program

pytestmark = pytest.mark.django_db


def test_impossible_permission_is_named_in_the_422(shop: Shop) -> None:
    answer = shop.ana.post(ACCOUNTS, {"name": "Tienda", "permissions": [Permission.ListItems, Permission.UpdateUser]})
    assert (answer.status, answer.fields) == (422, {"permissions.1": "not_a_choice"})


def test_impossible_permission_stored_in_the_table_has_no_effect(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    row = ServiceAccount.objects.get(pk=account["id"])
    row.permissions.create(action=Permission.UpdateUser)
    assert caller.get("/api/items").status == 200
    assert caller.put(f"/identity/users/{shop.carla.id}", {"locked": True}).status == 403


def test_user_cannot_give_an_account_or_make_a_token_with_more_than_they_hold(shop: Shop) -> None:
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
    # Revoking an account needs no permission that the account holds.
    assert keeper.delete(path).status == 200


def test_service_accounts_need_permission_to_manage_integrations(shop: Shop) -> None:
    everything_else = somebody(*(ALL - {Permission.ManageIntegrations}))
    assert everything_else.get(ACCOUNTS).status == 403
    assert everything_else.post(ACCOUNTS, {"name": "Mía"}).status == 403


def test_writes_of_an_account_are_made_and_audited_in_its_name(shop: Shop) -> None:
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


def test_token_is_verified_in_one_query_and_last_seen_written_at_most_once_a_minute(shop: Shop) -> None:
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


def test_token_is_shown_once_and_stored_as_a_digest(shop: Shop) -> None:
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


def test_new_token_ends_the_previous_one_at_once(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    renewed = Caller(bearer=make_token(shop.ana, account).json["token"])
    assert (caller.get("/api/items").status, renewed.get("/api/items").status) == (401, 200)
    stale = make_token(shop.ana, account, if_match='"1"')
    assert (stale.status, stale.code) == (412, "stale_version")
    assert renewed.get("/api/items").status == 200


def test_token_expires_at_the_end_of_its_last_day(shop: Shop) -> None:
    account = account_of(shop, Permission.ListItems)
    last = clock.today() + timedelta(days=2)
    caller = Caller(bearer=make_token(shop.ana, account, last).json["token"])
    with clock.at(clock.end_of(last) - timedelta(seconds=1)):
        assert caller.get("/api/items").status == 200
    with clock.at(clock.end_of(last)):
        assert (caller.get("/api/items").status, caller.post("/api/live/ticket").status) == (401, 401)


@pytest.mark.parametrize("days", [-1, 731])
def test_past_or_too_distant_last_day_gets_422(shop: Shop, days: int) -> None:
    answer = make_token(shop.ana, account_of(shop, Permission.ListItems), clock.today() + timedelta(days=days))
    assert (answer.status, answer.fields) == (422, {"expiresOn": "date_out_of_range"})


def test_revoked_account_is_refused_at_once_and_for_good(shop: Shop) -> None:
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
    account_of(shop, name=account["name"])  # its name can be used again


def test_changed_permissions_apply_at_once(shop: Shop) -> None:
    caller, account = program(shop, Permission.ListItems)
    changed = shop.ana.put(f"{ACCOUNTS}/{account['id']}", {"permissions": [Permission.ListMaterials]})
    assert (changed.status, changed.json["permissions"]) == (200, [Permission.ListMaterials])
    assert (caller.get("/api/items").status, caller.get("/api/materials").status) == (403, 200)


@pytest.mark.parametrize("bearer", ["obr_", "obr_x", "obr_" + "x" * 43, "obr_\x7f", "obr_" + "A" * 5_000])
def test_forged_token_gets_401(shop: Shop, bearer: str) -> None:
    account_of(shop, Permission.ListItems)
    assert Caller(bearer=bearer).get("/api/items").status == 401


def test_account_cannot_sign_in_or_be_edited_as_a_user(shop: Shop, quick_passwords: None) -> None:
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


def test_session_token_of_an_account_opens_nothing(shop: Shop) -> None:
    """No such token is issued. It would have the account's processes but none of its permissions."""
    _, account = program(shop, Permission.ListItems)
    row = User.objects.get(pk=account["userId"])
    assert Caller(row).get("/api/items").status == 403
    User.objects.filter(pk=row.pk).update(active=False)
    with pytest.raises(Unauthenticated):
        token.verify(token.issue(row))


def test_accounts_are_listed_searched_and_filtered_by_active(shop: Shop) -> None:
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


def test_changes_of_an_account_are_audited(shop: Shop) -> None:
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

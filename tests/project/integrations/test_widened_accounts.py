"""An account that gets more permissions: its tokens and webhooks never exceed the permissions of their makers."""

from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from tests.builders import Caller, Shop, somebody
from tests.project.integrations.programs import ACCOUNTS, make_token

pytestmark = pytest.mark.django_db


def test_token_ends_when_its_account_exceeds_its_makers_permissions(shop: Shop) -> None:
    keeper = somebody(Permission.ManageIntegrations, Permission.ListItems, Permission.ListMaterials)
    account = keeper.post(ACCOUNTS, {"name": "Suya", "permissions": [Permission.ListItems]}).json
    path = f"{ACCOUNTS}/{account['id']}"
    token = Caller(bearer=make_token(keeper, account).json["token"])
    within = shop.ana.put(path, {"permissions": [Permission.ListItems, Permission.ListMaterials]})
    assert (within.json["hasToken"], token.get("/api/materials").status) == (True, 200)
    beyond = shop.ana.put(path, {"permissions": [Permission.ListItems, Permission.ListMaterials, Permission.ViewAudit]})
    assert (beyond.status, beyond.json["hasToken"]) == (200, False)
    assert (token.get("/api/audit").status, token.get("/api/items").status) == (401, 401)
    changes = AuditEntry.objects.filter(entity="service-accounts").latest("pk").changes
    assert changes["token"] == {"before": "•••", "after": None}
    assert make_token(shop.ana, account).status == 201


@pytest.mark.parametrize("ends", ["process", "maker is gone"])
def test_token_ends_when_its_maker_could_not_give_what_was_added(shop: Shop, ends: str) -> None:
    keeper = somebody(Permission.ManageIntegrations, Permission.ListItems, processes=[shop.polishing])
    account = keeper.post(ACCOUNTS, {"name": "Suya", "productionProcessIds": [shop.polishing.pk]}).json
    make_token(keeper, account)
    wider: dict[str, Any] = {"productionProcessIds": [shop.polishing.pk, shop.casting.pk]}
    if ends == "maker is gone":
        shop.ana.put(f"/identity/users/{keeper.id}", {"locked": True})
        wider = {"permissions": [Permission.ListItems]}
    assert shop.ana.put(f"{ACCOUNTS}/{account['id']}", wider).json["hasToken"] is False


def test_webhook_is_paused_when_its_account_may_read_more_than_its_maker(shop: Shop) -> None:
    keeper = somebody(Permission.ManageIntegrations, Permission.ListItems)
    account = keeper.post(ACCOUNTS, {"name": "Suya", "permissions": [Permission.ListItems]}).json
    body = {"url": "https://erp.example.com/", "types": ["catalog.changed"], "accountId": account["id"]}
    theirs, anas = (
        by.post("/api/webhooks", body | {"name": name}).json for by, name in ((keeper, "K"), (shop.ana, "A"))
    )
    shop.ana.put(f"{ACCOUNTS}/{account['id']}", {"permissions": [Permission.ListItems, Permission.ListMaterials]})
    active = [shop.ana.get(f"/api/webhooks/{one['id']}").json["active"] for one in (theirs, anas)]
    assert active == [False, True]

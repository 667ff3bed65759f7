"""Every write sent twice with one key happens once and is answered twice."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.conf import LazySettings

from project.audit.models import AuditEntry
from project.core import clock
from project.core.idempotency import NOT_KEPT, REPEATS
from project.core.models import IdempotentAnswer
from project.importing.models import READY, Import, ImportRow
from project.integrations.models import WebhookDelivery
from realtime.models import OutboxEvent
from tests.builders import Answer, Shop
from tests.contract.operations import operations
from tests.project.audit.test_every_write import DEEDS as AUDITED, RECORDS, media
from tests.project.importing.uploads import csv_of, upload
from tests.project.notices.browsers import DEVICES, VAPID_KEY, Browser, notice_of

__all__ = ["media"]

Write = Callable[[], Answer]


@pytest.fixture(autouse=True)
def pushes(settings: LazySettings) -> None:
    settings.VAPID_KEY = VAPID_KEY


def registered(shop: Shop) -> str:
    """Register a browser of Ana's and return its path."""
    return f"{DEVICES}/{Browser().register(shop.ana)['id']}"


def uploaded(shop: Shop) -> Write:
    return partial(upload, shop.ana, "materials", csv_of(["name"], ["Plata"]))


def ready(shop: Shop, verb: str) -> str:
    now = clock.now()
    made = Import.objects.create(user_id=shop.ana.id, catalog="materials", state=READY, new=1, created_at=now)
    return f"/api/imports/{made.pk}{verb}"


def mending(shop: Shop) -> Write:
    """Mend a row of a preview."""
    path = ready(shop, "/mend")
    ImportRow.objects.create(upload=Import.objects.latest("pk"), number=2, outcome="refused", cells={"name": ""})
    return partial(shop.ana.post, path, {"number": 2, "cells": {"name": "Plata"}})


def expiring(shop: Shop) -> int:
    """Create a late line and return the id of its notification."""
    day = (clock.today() - timedelta(days=1)).isoformat()
    shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": day}])
    return int(shop.ana.get("/api/notifications/unread").json[0]["id"])


def replaying(shop: Shop) -> Write:
    """Replay the only message of a new webhook."""
    record, now = RECORDS["webhook"], clock.now()
    webhook = shop.ana.post(record.path, record.body(shop)).json
    sent = WebhookDelivery.objects.create(
        webhook_id=webhook["id"], message_id="1", type="catalog.changed", created_at=now, delivered_at=now
    )
    return partial(shop.ana.post, f"{record.path}/{webhook['id']}/replay", {"deliveryId": sent.pk})


DEEDS: dict[str, Callable[[Shop], Write]] = AUDITED | {
    "material_import_create": uploaded,
    "import_apply": lambda shop: partial(shop.ana.post, ready(shop, "/apply")),
    "import_refresh": lambda shop: partial(shop.ana.post, ready(shop, "/preview")),
    "import_mend": mending,
    "import_discard": lambda shop: partial(shop.ana.delete, ready(shop, "")),
    "webhook_replay": replaying,
    "notification_read": lambda shop: partial(shop.ana.post, f"/api/notifications/{expiring(shop)}/read"),
    "notification_read_all": lambda shop: expiring(shop) and partial(shop.ana.post, "/api/notifications/read/all"),
    "notice_preferences_update": lambda shop: partial(shop.ana.put, "/api/notices/preferences", {"digest": True}),
    "notice_device_create": lambda shop: partial(shop.ana.post, DEVICES, Browser().subscription),
    "notice_device_delete": lambda shop: partial(shop.ana.delete, registered(shop)),
    "notice_device_test": lambda shop: partial(shop.ana.post, f"{registered(shop)}/test"),
    "notice_bell_read": lambda shop: partial(shop.ana.post, "/api/notices/bell/read", {"ids": [notice_of(shop.ana)]}),
}
ONE_FOR_ALL = {name for name in REPEATS if name.endswith("_import_create")}
"""The uploads of all catalogs are one operation, so the test of materials covers them."""


def test_every_write_declares_how_it_is_repeated_or_why_not() -> None:
    writing = {operation.name for operation in operations() if operation.method != "GET"}
    assert writing - set(REPEATS) == set(NOT_KEPT)
    assert set(REPEATS) <= writing
    assert [name for name, why in NOT_KEPT.items() if not why.strip()] == []
    assert writing - set(NOT_KEPT) - set(DEEDS) - ONE_FOR_ALL == set()


@pytest.mark.parametrize("name", sorted(DEEDS))
def test_write_sent_twice_with_one_key_happens_once(shop: Shop, quick_passwords: None, media: None, name: str) -> None:
    write = DEEDS[name](shop)
    shop.ana.headers["idempotency_key"] = "k1"
    first = write()
    assert first.status in (200, 201), first
    assert "Idempotent-Replayed" not in first.headers
    done = AuditEntry.objects.count(), OutboxEvent.objects.count()
    again = write()
    assert (again.status, again.headers.get("Idempotent-Replayed")) == (first.status, "true"), again
    if not name.endswith(("_delete", "_discard", "_read_all")):  # what is gone or read has another answer
        assert again.json == first.json
    assert (AuditEntry.objects.count(), OutboxEvent.objects.count()) == done
    assert IdempotentAnswer.objects.count() == 1
    if REPEATS[name].read.__name__ == "gone":
        assert again.json == {"id": first.json["id"]}
    elif name == "notification_read_all":
        assert again.json == []
    elif "import" in name:  # its job continues
        assert again.json["id"] == first.json["id"]
    else:
        assert again.json == first.json
        if "ETag" in first.headers:
            assert again.headers["ETag"] == first.headers["ETag"]

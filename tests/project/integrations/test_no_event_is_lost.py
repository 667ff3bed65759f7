"""Every event is sent once to each webhook or counted as given up, whatever happens to the outbox or the receiver."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail

from project.access.permissions import Permission
from project.core import clock
from project.identity.models import User
from project.integrations import delivering
from project.integrations.delivering import Webhooks
from project.integrations.models import Webhook, WebhookDelivery
from project.operations import checking
from project.sending.loop import send_due
from project.worker.jobs import tidy_live
from realtime import outbox
from realtime.models import OutboxCounter, OutboxEvent
from tests.builders import Caller, Shop
from tests.project.integrations.receivers import WEBHOOKS, Receiver, deliver_due, receiver, webhook_to

pytestmark = pytest.mark.django_db(transaction=True)

LATER = timedelta(minutes=10)
"""Longer than the first retries take."""
START = clock.now()


def material(shop: Shop, name: str) -> int:
    made = shop.ana.post("/api/materials", {"name": name})
    assert made.status == 201, made
    return int(made.json["id"])


def arrived(erp: Receiver) -> list[int]:
    """The ids of the materials that arrived, in order; a message sent again counts once."""
    seen = {one.id: one.json["data"]["id"] for one in erp.received}
    return list(seen.values())


def read(shop: Shop, webhook: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = shop.ana.get(f"{WEBHOOKS}/{webhook['id']}").json
    return found


def healthy(shop: Shop, erp: Receiver, webhook: dict[str, Any]) -> None:
    """Every request is answered 200."""


def in_back_off(shop: Shop, erp: Receiver, webhook: dict[str, Any]) -> None:
    erp.answers = [500]


def stopped(shop: Shop, erp: Receiver, webhook: dict[str, Any]) -> None:
    erp.answers = [410]


def person_erased(shop: Shop) -> None:
    answer = shop.ana.post(f"/identity/users/{shop.carla.id}/erase", {"name": "Carla Torres"})
    assert answer.status == 200, answer


def epoch_renewed(shop: Shop) -> None:
    outbox.renew_epoch()


def put_back(shop: Shop) -> None:
    """Finish a restore of the database."""
    checking.finish()


def pruned(shop: Shop) -> None:
    with clock.at(START + timedelta(days=3)):
        tidy_live()
    assert not OutboxEvent.objects.exists()


@pytest.mark.parametrize("fault", [person_erased, epoch_renewed, put_back, pruned])
@pytest.mark.parametrize("state", [healthy, in_back_off, stopped])
def test_every_event_arrives_once_and_in_order(
    busy_shop: Shop,
    erp: Receiver,
    state: Callable[[Shop, Receiver, dict[str, Any]], None],
    fault: Callable[[Shop], None],
) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    made = [material(busy_shop, "Oro")]
    deliver_due()
    state(busy_shop, erp, webhook)
    made.append(material(busy_shop, "Plata"))
    deliver_due()
    made += [material(busy_shop, "Cobre"), material(busy_shop, "Latón")]
    fault(busy_shop)
    again = replace(busy_shop, ana=Caller(User.objects.get(pk=busy_shop.ana.id)))  # a restore ends every session
    made.append(material(again, "Estaño"))
    again.ana.put(f"{WEBHOOKS}/{webhook['id']}", {"active": True})
    with clock.at(clock.now() + LATER):
        deliver_due()
    assert arrived(erp) == made
    assert (read(again, webhook)["givenUp"], read(again, webhook)["waiting"]) == (0, 0)


def test_events_from_before_the_worker_ran_are_taken_before_they_are_pruned(busy_shop: Shop, erp: Receiver) -> None:
    webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    made = [material(busy_shop, "Oro"), material(busy_shop, "Plata")]
    pruned(busy_shop)
    deliver_due()
    assert arrived(erp) == made


def test_pruned_events_that_do_not_fit_are_counted_and_mailed_once_to_managers(
    busy_shop: Shop, erp: Receiver, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_SERVER = True
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    deliver_due()  # reads the event of the webhook's own creation
    monkeypatch.setattr(delivering, "MOST_WAITING", 2)
    erp.answers = [500]
    made = [material(busy_shop, f"Metal {number}") for number in range(5)]
    deliver_due()
    busy_shop.ana.post("/api/components", {"name": "Broche"})
    pruned(busy_shop)
    lost = read(busy_shop, webhook)
    assert (lost["waiting"], lost["givenUp"], lost["givenUpAt"] is not None) == (2, 3, True)
    assert sorted(one.to[0] for one in mail.outbox) == ["ana@obrador.test", "beto@obrador.test"]
    assert "3 eventos" in str(mail.outbox[0].body)
    material(busy_shop, "Otro")
    with clock.at(START + timedelta(days=6)):
        tidy_live()
    assert (read(busy_shop, webhook)["givenUp"], len(mail.outbox)) == (4, 2)
    with clock.at(clock.now() + LATER):
        deliver_due()
    assert arrived(erp) == made[:2]


def test_old_messages_of_a_stopped_webhook_are_counted_as_given_up(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers = [410]
    for name in ("Oro", "Plata"):
        material(busy_shop, name)
    deliver_due()
    with clock.at(clock.now() + timedelta(days=31)):
        delivering.forget_old()
    assert (read(busy_shop, webhook)["waiting"], read(busy_shop, webhook)["givenUp"]) == (0, 2)


def test_events_missing_from_the_outbox_are_counted_as_given_up(busy_shop: Shop, erp: Receiver) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    for name in ("Oro", "Plata", "Cobre"):
        material(busy_shop, name)
    OutboxEvent.objects.filter(id__lte=outbox.newest_id() - 1).delete()
    deliver_due()
    assert (erp.names, read(busy_shop, webhook)["givenUp"] >= 2) == (["materials created"], True)


def test_messages_keep_their_ids_after_a_restore_and_new_events_get_others(busy_shop: Shop, erp: Receiver) -> None:
    webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    material(busy_shop, "Oro")
    backup = (Webhook.objects.values("position").get(), OutboxCounter.objects.values("last_id").get())
    for name in ("Plata", "Cobre"):
        material(busy_shop, name)
        deliver_due()
    WebhookDelivery.objects.all().delete()
    OutboxEvent.objects.filter(id__gt=backup[1]["last_id"]).delete()
    Webhook.objects.update(**backup[0])
    OutboxCounter.objects.update(**backup[1])
    epoch_renewed(busy_shop)
    material(busy_shop, "Latón")
    deliver_due()
    before, again = erp.received[:3], erp.received[3:]
    assert [one.json["id"] for one in again] == [one.json["id"] for one in before[:2]]
    assert [one.id for one in again[:1]] == [one.id for one in before[:1]]
    assert again[1].id not in {one.id for one in before}


def test_webhook_with_a_position_beyond_the_outbox_reads_from_the_oldest_event(busy_shop: Shop, erp: Receiver) -> None:
    webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    made = material(busy_shop, "Oro")
    Webhook.objects.update(position=outbox.newest_id() + 1_000)
    deliver_due()
    assert arrived(erp) == [made]


def test_slow_receiver_delays_no_other_webhook(busy_shop: Shop, erp: Receiver) -> None:
    enough, slow_is_asked, others_arrived = Event(), Event(), Event()
    loop = Thread(target=send_due, args=[Webhooks()])
    with receiver() as slow:
        slow.before_answer = lambda: (slow_is_asked.set(), enough.wait(30))
        webhook_to(busy_shop, slow.url, Permission.ListMaterials, name="Lento")
        webhook_to(busy_shop, erp.url, Permission.ListMaterials)
        made = [material(busy_shop, "Oro")]
        loop.start()
        try:
            assert slow_is_asked.wait(30)
            erp.before_answer = lambda: len(erp.received) == 7 and others_arrived.set()
            made += [material(busy_shop, f"Metal {number}") for number in range(6)]
            assert others_arrived.wait(30)
            assert (arrived(erp), len(slow.received)) == (made, 1)
        finally:
            enough.set()
            loop.join()
        assert arrived(slow) == made


def test_webhook_deleted_while_it_is_sent_logs_no_error(
    busy_shop: Shop, erp: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    webhook, _ = webhook_to(busy_shop, erp.url, Permission.ListMaterials)
    erp.answers = [500]
    material(busy_shop, "Oro")
    erp.before_answer = lambda: busy_shop.ana.delete(f"{WEBHOOKS}/{webhook['id']}")
    deliver_due()
    assert (len(erp.received), Webhook.objects.exists()) == (1, False)
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []

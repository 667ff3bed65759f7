"""Takes events out of the outbox for each webhook, and sends them: in order, at least once, outside every transaction.

A webhook is held for a while by the worker that sends for it, by a row that runs out: no two send one message at once.
What does not arrive is tried again at growing intervals, and with it all that follows; after a day of that the webhook
is stopped, and those who manage integrations are told.
"""

import logging
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta

from django.conf import settings
from django.db import connections, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from project.access.permissions import OF_SERVICES, Permission
from project.core import clock
from project.core.mailing import mail
from project.events import record_and_publish
from project.identity.models import User
from project.identity.selectors import WORKING
from project.integrations import sending, webhooks
from project.integrations.models import Webhook, WebhookDelivery
from realtime import feed, registry
from realtime.feed import read_for
from realtime.privacy import without
from realtime.readers import Reader

HELD = timedelta(seconds=60)
"""Longer than a worker sends for one webhook: what it began within `TURN_SECONDS` ends after `sending.MOST_SECONDS`."""
TURN_SECONDS = 20.0
MOST_WAITING = 1_000
"""Messages that wait in the table; what follows stays in the outbox."""
AT_ONCE = 8
FIRST, LONGEST = timedelta(seconds=5), timedelta(hours=2)
GIVEN_UP_AFTER = timedelta(hours=24)
GONE = 410
"""The receiver's own word that it wants no more (Standard Webhooks)."""

log = logging.getLogger(__name__)


def deliver_due() -> None:
    """Send what is due, of several webhooks at once."""
    epoch, position = feed.newest()
    behind = ~Q(epoch=epoch, position=position)
    waits = Exists(WebhookDelivery.objects.filter(webhook=OuterRef("pk"), delivered_at=None))
    ids = list(_due().filter(behind | waits).values_list("pk", flat=True))
    if ids:
        with ThreadPoolExecutor(min(AT_ONCE, len(ids)), thread_name_prefix="webhook") as threads:
            for webhook_id in ids:
                threads.submit(copy_context().run, _deliver, webhook_id)


def _due() -> QuerySet[Webhook]:
    now = clock.now()
    # A hold that lasts longer than any was begun before the clock was set back; so was a wait.
    free = Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=now + HELD + clock.CLOCKS_DIFFER)
    come = Q(next_at=None) | Q(next_at__lte=now) | Q(next_at__gt=now + LONGEST + clock.CLOCKS_DIFFER)
    return Webhook.objects.filter(free, come, active=True, account__active=True).exclude(secret="")


def _deliver(webhook_id: int) -> None:
    try:
        webhook = _held(webhook_id)
        if webhook is not None:
            try:
                _send_waiting(webhook)
            finally:
                Webhook.objects.filter(pk=webhook_id).update(held_until=None)
    except Exception:
        log.exception("webhook %s: nothing could be sent", webhook_id)
    finally:
        connections.close_all()


@transaction.atomic
def _held(webhook_id: int) -> Webhook | None:
    """The webhook with what the outbox has new for it, held; None where another worker has it, or nothing waits."""
    rows = _due().select_for_update(of=("self",), skip_locked=True)
    webhook = rows.filter(pk=webhook_id).first()
    if webhook is None:
        return None
    _take_events(webhook)
    if not webhook.deliveries.filter(delivered_at=None).exists():
        return None
    webhook.held_until = clock.now() + HELD
    webhook.save(update_fields=["held_until"])
    return webhook


def reader_of(webhook: Webhook) -> Reader:
    """What the webhook's account reads now."""
    held = frozenset(webhook.account.permissions.values_list("action", flat=True))
    return Reader(held & OF_SERVICES & registry.permissions())


def _take_events(webhook: Webhook) -> None:
    room = MOST_WAITING - webhook.deliveries.filter(delivered_at=None).count()
    if room <= 0:
        return
    found = read_for(reader_of(webhook), webhook.epoch, webhook.position, frozenset(webhook.types), room)
    if found.missed:
        log.warning("webhook %s: events before %s are gone, going on after it", webhook.pk, found.position)
    now = clock.now()
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook,
            message_id=f"{found.epoch}-{one.id}",
            type=one.type,
            audience=" ".join(sorted(one.audience)),
            payload=one.payload,
            created_at=now,
        )
        for one in found.events
    )
    if (webhook.epoch, webhook.position) != (found.epoch, found.position):
        webhook.epoch, webhook.position = found.epoch, found.position
        webhook.save(update_fields=["epoch", "position"])


def _send_waiting(webhook: Webhook) -> None:
    """Send one after the other until one does not arrive, none is left, or the turn is over."""
    over = time.monotonic() + TURN_SECONDS
    while time.monotonic() < over:
        delivery = webhook.deliveries.filter(delivered_at=None).order_by("id").first()
        # Who changed, stopped or deleted it meanwhile is followed with the next message.
        current = Webhook.objects.filter(pk=webhook.pk, active=True, account__active=True, url=webhook.url).first()
        if delivery is None or current is None:
            return
        reader = reader_of(current)
        if not reader.receives(frozenset(delivery.audience.split()), None):
            delivery.delete()  # the account may not read it any more
            continue
        if not _sent(current, delivery, reader):
            return


def _sent(webhook: Webhook, delivery: WebhookDelivery, reader: Reader) -> bool:
    """Whether the message arrived."""
    now = clock.now()
    try:
        sent = sending.send(
            webhook.url,
            message_id=delivery.message_id,
            timestamp=int(now.timestamp()),
            body=without(delivery.payload.encode(), reader.hidden_in(delivery.type)).decode(),
            secrets_now=webhooks.secrets_of(webhook, now),
        )
    except webhooks.SecretUnreadable:
        said = "its secret was sealed with a key that is gone: make another"
        sent = sending.Sent(None, said, sending.Failure.SECRET_UNREADABLE)
    delivery.attempts += 1
    delivery.tried_at, delivery.status, delivery.answer = now, sent.status, sent.answer
    delivery.failure = sent.failure or ""
    delivery.delivered_at = now if sent.arrived else None
    delivery.save(update_fields=["attempts", "tried_at", "status", "answer", "failure", "delivered_at"])
    if sent.arrived:
        if webhook.failing_since is not None:
            Webhook.objects.filter(pk=webhook.pk).update(failing_since=None, next_at=None)
        return True
    since = webhook.failing_since or now
    Webhook.objects.filter(pk=webhook.pk).update(failing_since=since, next_at=now + wait_after(delivery.attempts))
    if sent.status == GONE or now - since >= GIVEN_UP_AFTER:
        _stop(webhook)
    return False


def wait_after(attempts: int) -> timedelta:
    """How long until the next attempt: three times as long each time, up to two hours; up to a fifth more by chance, so
    that those who failed together do not come back together."""
    whole = min(LONGEST / 1.2, FIRST * 3 ** min(attempts - 1, 10))
    return whole * random.uniform(1, 1.2)


def _stop(webhook: Webhook) -> None:
    """Stop a webhook to which nothing arrives, and tell those who manage integrations."""
    with transaction.atomic():
        row = Webhook.objects.select_for_update(of=("self",)).filter(pk=webhook.pk, active=True).first()
        if row is None:
            return
        before = webhooks.snapshot(row)
        row.claim(None)
        row.active, row.stopped_at = False, clock.now()
        row.save(update_fields=["active", "stopped_at", "version"])
        record_and_publish("webhooks", row, "changed", None, before=before, after=webhooks.snapshot(row))
    log.error("webhook %s was stopped: nothing arrives at its address", webhook.pk)
    if settings.MAIL_SERVER:
        managers = User.objects.filter(**WORKING, roles__permissions__action=Permission.ManageIntegrations).distinct()
        texts = {
            "subject": "webhook_stopped_subject",
            "body": "webhook_stopped_body",
            "name": webhook.name,
            "url": webhook.url,
            "link": f"{settings.PUBLIC_URL}/#/administration/webhooks?record={webhook.pk}",
        }
        for user in managers:
            mail(user.email, language=user.language, **texts)


def forget_old() -> None:
    """Messages that arrived longer ago than they are kept, and those that a stopped webhook never sent."""
    limit = clock.now() - timedelta(days=settings.WEBHOOK_KEEP_DAYS)
    old = WebhookDelivery.objects.filter(created_at__lt=limit)
    old.filter(Q(delivered_at__isnull=False) | Q(webhook__active=False)).delete()

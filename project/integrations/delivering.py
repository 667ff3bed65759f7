"""Copies events from the outbox for each webhook and sends them: in order, at least once, by the sending loop.

The worker that sends a message of a webhook has a lease on it, so that no two workers send the same message. A message
that does not arrive is retried at growing intervals, and the following messages wait. After a day of failures, or an
answer 410, the webhook is stopped and the managers of integrations get a mail.
"""

import hmac
import logging
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from project.access.permissions import OF_SERVICES, Permission
from project.core import clock
from project.core.leases import run_out
from project.core.mailing import company_name, mail
from project.events import record_and_publish
from project.identity.models import User
from project.identity.selectors import SIGNING_IN
from project.integrations import webhooks
from project.integrations.models import Webhook, WebhookDelivery
from project.sending.loop import Answer, Failure, Queue, Result, Retries
from project.sending.posting import post
from realtime import outbox, registry
from realtime.audience import Reader
from realtime.outbox import read_for
from realtime.privacy import without

MOST_SECONDS = 15.0
"""The limit for a whole request."""
HELD = timedelta(seconds=60)
"""The lease of a worker on a webhook: longer than one request."""
LONGEST = timedelta(hours=2)
RETRIES = Retries(
    first=timedelta(seconds=5), factor=3, longest=LONGEST / 1.2, given_up_after=timedelta(hours=24), spread=0.2
)
MOST_WAITING = 1_000
"""Most waiting messages of a webhook. Later events stay in the outbox."""
GONE = 410
"""With this status, a receiver asks for no more messages (Standard Webhooks)."""

log = logging.getLogger(__name__)


class Webhooks(Queue[WebhookDelivery]):
    """The queue of the messages to send: the first waiting message of each webhook."""

    name, every, at_once = "webhooks", timedelta(milliseconds=500), 16

    def due(self) -> Iterator[WebhookDelivery]:
        waits = Exists(WebhookDelivery.objects.filter(webhook=OuterRef("pk"), delivered_at=None))
        due = _due().filter(~Q(position=outbox.newest_id()) | waits)
        for webhook_id in list(due.order_by("pk").values_list("pk", flat=True)):
            try:
                delivery = _taken(webhook_id)
            except Exception:
                log.exception("webhook %s: nothing could be sent", webhook_id)
                continue
            if delivery is not None:
                yield delivery

    def send(self, message: WebhookDelivery) -> Answer:
        now, body = clock.now(), message.payload
        try:
            secrets = webhooks.secrets_of(message.webhook, now)
        except webhooks.SecretUnreadable:
            reason = "its secret was sealed with a key that is gone: make another"
            return Answer(Result.later, reason, failure=Failure.SECRET_UNREADABLE)
        timestamp = int(now.timestamp())
        headers = [
            ("content-type", "application/json"),
            ("webhook-id", message.message_id),
            ("webhook-timestamp", str(timestamp)),
            ("webhook-signature", " ".join(signature(one, message.message_id, timestamp, body) for one in secrets)),
        ]
        answer = post(message.webhook.url, headers, body.encode(), seconds=MOST_SECONDS)
        return replace(answer, result=Result.gone if answer.status == GONE else answer.result, retry_after=0)

    def note(self, message: WebhookDelivery, answer: Answer) -> None:
        """Store the result of an attempt, and end the lease. Updates no row if the webhook is deleted by now."""
        now, arrived, attempts = clock.now(), answer.result is Result.arrived, message.attempts + 1
        since = message.webhook.failing_since or now
        wait = RETRIES.wait(answer, attempts=attempts, since=since)
        WebhookDelivery.objects.filter(pk=message.pk).update(
            attempts=attempts,
            tried_at=now,
            status=answer.status,
            answer=answer.says,
            failure=answer.failure or "",
            delivered_at=now if arrived else None,
        )
        Webhook.objects.filter(pk=message.webhook_id).update(
            held_until=None, failing_since=None if arrived else since, next_at=now + wait if wait else None
        )
        if not arrived and wait is None:
            _stop(message.webhook)


def signature(secret: str, message_id: str, timestamp: int, body: str) -> str:
    """Return a signature by Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`."""
    key = b64decode(secret.removeprefix(webhooks.SECRET))
    signed = hmac.digest(key, f"{message_id}.{timestamp}.{body}".encode(), "sha256")
    return f"v1,{b64encode(signed).decode()}"


def _due() -> QuerySet[Webhook]:
    free, come = run_out("held_until", HELD), run_out("next_at", LONGEST)
    return Webhook.objects.filter(free, come, active=True, account__active=True).exclude(secret="")


@transaction.atomic
def _taken(webhook_id: int) -> WebhookDelivery | None:
    """Copy new events for a webhook, take its lease, and return its first message as its account may read it.

    Returns None if another worker has it or no message waits. Deletes messages that the account may no longer read.
    """
    webhook = _due().select_for_update(of=("self",), skip_locked=True).filter(pk=webhook_id).first()
    if webhook is None:
        return None
    _take_events(webhook)
    reader = reader_of(webhook)
    for delivery in webhook.deliveries.filter(delivered_at=None).order_by("id").iterator(chunk_size=10):
        if reader.receives(frozenset(delivery.audience.split()), None):
            webhook.held_until = clock.now() + HELD
            webhook.save(update_fields=["held_until"])
            delivery.payload = without(delivery.payload.encode(), reader.hidden_in(delivery.type)).decode()
            return delivery
        delivery.delete()
    return None


def reader_of(webhook: Webhook) -> Reader:
    """Return the reader with the current permissions of the webhook's account."""
    held = frozenset(webhook.account.permissions.values_list("action", flat=True))
    return Reader(held & OF_SERVICES & registry.permissions())


def _take_events(webhook: Webhook, *, and_give_up: bool = False) -> None:
    """Copy the next events that the webhook may receive from the outbox into its messages.

    If `MOST_WAITING` messages wait already, copy nothing; with `and_give_up`, skip the events and give them up.
    """
    room = MOST_WAITING - webhook.deliveries.filter(delivered_at=None).count()
    if room <= 0 and not and_give_up:
        return
    types = frozenset(webhook.types)
    found = read_for(reader_of(webhook), webhook.position, types, room if room > 0 else outbox.PORTION)
    taken = found.events if room > 0 else []
    now = clock.now()
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook,
            # A restored database uses event ids again. Because of the time in it, the message id of an event is the
            # same after a restore, but differs from the message id of a lost event with the same event id.
            message_id=f"{one.id}-{one.at:%Y%m%dT%H%M%S%f}",
            type=one.type,
            audience=" ".join(sorted(one.audience)),
            payload=one.payload,
            created_at=now,
        )
        for one in taken
    )
    if webhook.position != found.position:
        webhook.position = found.position
        webhook.save(update_fields=["position"])
    _give_up(webhook, found.missed + len(found.events) - len(taken))


def take_before_pruning(up_to: int) -> None:
    """Copy the events up to an id for all webhooks, also stopped and failing ones. The caller then prunes these events.

    Events for which a webhook has no more room are given up: the webhook counts them, and the managers of integrations
    get a mail.
    """
    for webhook_id in list(Webhook.objects.filter(position__lt=up_to).values_list("pk", flat=True)):
        with transaction.atomic():
            webhook = Webhook.objects.select_for_update(of=("self",)).filter(pk=webhook_id).first()
            while webhook is not None and webhook.position < up_to:
                _take_events(webhook, and_give_up=True)


def _give_up(webhook: Webhook, count: int) -> None:
    """Count messages that are never sent. Mails the managers the first time, and again if a message has arrived since
    the last time."""
    if not count:
        return
    former = webhook.given_up_at
    begins = former is None or webhook.deliveries.filter(delivered_at__gt=former).exists()
    webhook.given_up += count
    webhook.given_up_at = clock.now()
    webhook.save(update_fields=["given_up", "given_up_at"])
    log.error("webhook %s: %s events are given up", webhook.pk, count)
    if begins:
        transaction.on_commit(partial(_tell_managers, webhook, "webhook_given_up"))


def _stop(webhook: Webhook) -> None:
    """Stop a failing webhook, and mail the managers of integrations."""
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
    _tell_managers(webhook, "webhook_stopped")


def _tell_managers(webhook: Webhook, code: str) -> None:
    """Mail the text of `code` to all users who manage integrations."""
    if settings.MAIL_SERVER:
        managers = User.objects.filter(SIGNING_IN, roles__permissions__action=Permission.ManageIntegrations).distinct()
        company = company_name()
        for user in managers:
            mail(
                user.email,
                company=company,
                language=user.language,
                subject=f"{code}_subject",
                body=f"{code}_body",
                name=webhook.name,
                url=webhook.url,
                count=str(webhook.given_up),
                link=f"{settings.PUBLIC_URL}/#/administration/webhooks?record={webhook.pk}",
            )


def forget_old() -> None:
    """Delete arrived messages older than `WEBHOOK_KEEP_DAYS`. Give up older messages that wait at an inactive
    webhook."""
    old = Q(created_at__lt=clock.now() - timedelta(days=settings.WEBHOOK_KEEP_DAYS))
    WebhookDelivery.objects.filter(old, delivered_at__isnull=False).delete()
    unsent = WebhookDelivery.objects.filter(old, delivered_at=None, webhook__active=False)
    for webhook_id in set(unsent.values_list("webhook", flat=True)):
        with transaction.atomic():
            rows = Webhook.objects.select_for_update(of=("self",)).filter(pk=webhook_id, active=False)
            if (webhook := rows.first()) is not None:
                gone, _ = webhook.deliveries.filter(old, delivered_at=None).delete()
                _give_up(webhook, gone)

"""Copies events from the outbox for each webhook and sends them: in order, at least once, outside transactions.

The worker that sends for a webhook has a lease on it, so that no two workers send the same message. A message that does
not arrive is retried at growing intervals, and the following messages wait. After a day of failures, or an answer 410,
the webhook is stopped and the managers of integrations get a mail.
"""

import logging
import random
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from threading import Event, Lock

from django.conf import settings
from django.db import connections, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from project.access.permissions import OF_SERVICES, Permission
from project.core import clock
from project.core.leases import run_out
from project.core.mailing import mail
from project.core.queries import give_connection_back
from project.events import record_and_publish
from project.identity.models import User
from project.identity.selectors import SIGNING_IN
from project.integrations import sending, webhooks
from project.integrations.models import Webhook, WebhookDelivery
from realtime import outbox, registry
from realtime.audience import Reader
from realtime.outbox import read_for
from realtime.privacy import without

HELD = timedelta(seconds=60)
"""The lease of a worker on a webhook: longer than `TURN_SECONDS` and one request of `sending.MOST_SECONDS`."""
TURN_SECONDS = 20.0
MOST_WAITING = 1_000
"""Most waiting messages of a webhook. Later events stay in the outbox."""
AT_ONCE = 16
FIRST, LONGEST = timedelta(seconds=5), timedelta(hours=2)
GIVEN_UP_AFTER = timedelta(hours=24)
GONE = 410
"""With this status, a receiver asks for no more messages (Standard Webhooks)."""

log = logging.getLogger(__name__)


class Sender:
    """Sends to several webhooks at once, each in a thread, so that a slow receiver does not delay others. Each worker
    has one sender."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook")
        self._lock = Lock()
        self._begun: set[int] = set()
        self._stopping = Event()

    def deliver_due(self) -> list[Future[None]]:
        """Begin a turn for each webhook with due messages, unless one is under way. Returns the new turns."""
        waits = Exists(WebhookDelivery.objects.filter(webhook=OuterRef("pk"), delivered_at=None))
        due = _due().filter(~Q(position=outbox.newest_id()) | waits)
        with self._lock:
            new = set(due.values_list("pk", flat=True)) - self._begun
            self._begun |= new
        return [self._threads.submit(copy_context().run, self._turn, webhook_id) for webhook_id in sorted(new)]

    def stop(self) -> None:
        """Begin no further message, and return when the messages under way have ended."""
        self._stopping.set()
        self._threads.shutdown(cancel_futures=True)

    def _turn(self, webhook_id: int) -> None:
        try:
            webhook = _held(webhook_id)
            if webhook is not None:
                try:
                    self._send_waiting(webhook)
                finally:
                    Webhook.objects.filter(pk=webhook_id).update(held_until=None)
        except Exception:
            log.exception("webhook %s: nothing could be sent", webhook_id)
        finally:
            connections.close_all()
            with self._lock:
                self._begun.discard(webhook_id)

    def _send_waiting(self, webhook: Webhook) -> None:
        """Send the waiting messages in order until one does not arrive, none is left, or the turn is over."""
        over = time.monotonic() + TURN_SECONDS
        while time.monotonic() < over and not self._stopping.is_set():
            delivery = webhook.deliveries.filter(delivered_at=None).order_by("id").first()
            # Stop if the webhook was stopped, deleted or got another address in the meantime.
            current = Webhook.objects.filter(pk=webhook.pk, active=True, account__active=True, url=webhook.url).first()
            if delivery is None or current is None:
                return
            reader = reader_of(current)
            if not reader.receives(frozenset(delivery.audience.split()), None):
                delivery.delete()  # the account may no longer read it
                continue
            if not _sent(current, delivery, reader):
                return


def _due() -> QuerySet[Webhook]:
    free, come = run_out("held_until", HELD), run_out("next_at", LONGEST)
    return Webhook.objects.filter(free, come, active=True, account__active=True).exclude(secret="")


@transaction.atomic
def _held(webhook_id: int) -> Webhook | None:
    """Copy new events for a webhook and take its lease. Returns None if another worker has it or no message waits."""
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


def _sent(webhook: Webhook, delivery: WebhookDelivery, reader: Reader) -> bool:
    """Send a message and store its result. Returns whether it arrived.

    Stops the webhook after a day of failures, or at once if the receiver answers 410.
    """
    now = clock.now()
    body = without(delivery.payload.encode(), reader.hidden_in(delivery.type)).decode()
    give_connection_back()
    try:
        sent = sending.send(
            webhook.url,
            message_id=delivery.message_id,
            timestamp=int(now.timestamp()),
            body=body,
            secrets_now=webhooks.secrets_of(webhook, now),
        )
    except webhooks.SecretUnreadable:
        reason = "its secret was sealed with a key that is gone: make another"
        sent = sending.Sent(None, reason, sending.Failure.SECRET_UNREADABLE)
    delivery.attempts += 1
    delivery.tried_at, delivery.status, delivery.answer = now, sent.status, sent.answer
    delivery.failure = sent.failure or ""
    delivery.delivered_at = now if sent.arrived else None
    written = ("attempts", "tried_at", "status", "answer", "failure", "delivered_at")
    # Updates no row if the webhook was deleted in the meantime.
    WebhookDelivery.objects.filter(pk=delivery.pk).update(**{name: getattr(delivery, name) for name in written})
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
    """Return the time until the next attempt. It triples with each attempt, up to two hours.

    Adds up to a fifth at random, so that webhooks that failed together are not retried together.
    """
    whole: timedelta = min(LONGEST / 1.2, FIRST * 3 ** min(attempts - 1, 10))
    return whole * random.uniform(1, 1.2)


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
        for user in managers:
            mail(
                user.email,
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

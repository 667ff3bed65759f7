"""Sends the stored pushes, several at once. Retries after a temporary failure, until a push is too old (NEWS_FOR)."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import F

from project.core import clock
from project.core.queries import give_connection_back
from project.notices import push
from project.notices.encryption import to_text
from project.notices.models import Device, PushMessage
from project.notices.push import Answered, Outcome
from project.notices.selectors import live_devices

AT_ONCE = 8
MOST_AT_A_TIME = 200
HELD = timedelta(minutes=2)
"""For this time after a worker took a push to send it, no other worker takes it."""
FIRST, LONGEST = timedelta(seconds=30), timedelta(hours=1)
NEWS_FOR = timedelta(hours=4)
"""A push that is older is dropped: the bell and the digest inform the person better."""
MOST_FAILURES = 20
"""After so many failures in a row the browser's device is deleted."""

log = logging.getLogger(__name__)


def deliver_due() -> int:
    """Send the pushes that are due. Returns the number of due pushes. 1 query if none is due."""
    messages = _claimed()
    if not messages:
        return 0
    give_connection_back()
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="push") as threads:
        sending = [threads.submit(copy_context().run, _send, message) for message in messages]
        for message, future in zip(messages, sending, strict=True):
            _note(message, future.result())
    return len(messages)


@transaction.atomic
def _claimed() -> list[PushMessage]:
    """Take due messages, so that no other worker sends them for HELD.

    Delete due messages that are too old, or that are for devices of a former VAPID_KEY.
    """
    now = clock.now()
    due = PushMessage.objects.filter(next_at__lte=now)
    if not due.exists():
        return []
    due.filter(created_at__lt=now - NEWS_FOR).delete()
    due.exclude(device__in=live_devices()).delete()
    rows = list(
        due.select_for_update(of=("self",), skip_locked=True).select_related("device").order_by("pk")[:MOST_AT_A_TIME]
    )
    PushMessage.objects.filter(pk__in=[one.pk for one in rows]).update(next_at=now + HELD)
    return rows


def _send(message: PushMessage) -> Answered:
    """Send one push. Does not use the database."""
    device, shown = message.device, json.loads(message.payload)
    urgent = shown.pop("urgency") == "high"
    return push.send(
        device.endpoint,
        json.dumps(shown, ensure_ascii=False).encode(),
        p256dh=device.p256dh,
        auth=device.auth,
        topic=topic_of(shown["tag"]),
        urgent=urgent,
    )


def topic_of(tag: str) -> str:
    """Return a topic for a tag: at most 32 letters of base64 for URLs (RFC 8030)."""
    return to_text(sha256(tag.encode()).digest())[:32]


def _note(message: PushMessage, answered: Answered) -> None:
    """Store the outcome of a push. Updates no row if its device was removed in the meantime."""
    device = Device.objects.filter(pk=message.device_id)
    now = clock.now()
    if answered.outcome is Outcome.arrived:
        device.update(sent_at=now, failures=0)
        PushMessage.objects.filter(pk=message.pk).delete()
        return
    if answered.outcome is Outcome.gone:
        device.delete()
        return
    log.warning("a push to device %s did not arrive: %s", message.device_id, answered.says)
    device.update(failures=F("failures") + 1)
    device.filter(failures__gte=MOST_FAILURES).delete()
    if answered.outcome is Outcome.refused:
        PushMessage.objects.filter(pk=message.pk).delete()
    else:
        wait = max(timedelta(seconds=answered.retry_after), FIRST * 2**message.attempts)
        PushMessage.objects.filter(pk=message.pk).update(
            attempts=message.attempts + 1, next_at=now + min(wait, LONGEST)
        )

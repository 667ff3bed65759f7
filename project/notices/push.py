"""Sends the stored pushes to browsers' push services (RFC 8030), by the sending loop, and only to public addresses."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F

from project.core import clock
from project.notices import encryption
from project.notices.models import MOST_ENDPOINT, Device, PushMessage
from project.notices.selectors import live_devices
from project.sending.loop import Answer, Failure, Queue, Result, Retries
from project.sending.posting import is_private, post

MOST_SECONDS = 10.0
"""The limit for a whole request."""
HELD = timedelta(minutes=2)
"""For this time after a worker took a push to send it, no other worker takes it."""
RETRIES = Retries(first=timedelta(seconds=30), factor=2, longest=timedelta(hours=1), given_up_after=timedelta(hours=4))
"""A push that is older is dropped: the bell and the digest inform the person better."""
MOST_FAILURES = 20
"""After so many failures in a row the browser's device is deleted."""
GONE = (404, 410)
"""The statuses that a push service answers if the browser no longer takes pushes."""
_PORTS = (None, 443)


class Pushes(Queue[PushMessage]):
    """The queue of the pushes to devices."""

    name, every, at_once = "pushes", timedelta(seconds=2), 8

    def due(self) -> Iterator[PushMessage]:
        """Yield the due pushes. Delete those that are too old, or that are for devices of a former VAPID_KEY."""
        now = clock.now()
        due = PushMessage.objects.filter(next_at__lte=now)
        if not due.exists():
            return
        due.filter(created_at__lt=now - RETRIES.given_up_after).delete()
        due.exclude(device__in=live_devices()).delete()
        for message in due.select_related("device").order_by("pk"):
            if due.filter(pk=message.pk).update(next_at=clock.now() + HELD):
                yield message

    def send(self, message: PushMessage) -> Answer:
        """Encrypt a push and send it. The push service drops an undelivered push with the same topic."""
        device, shown, key = message.device, json.loads(message.payload), encryption.from_text
        urgency = shown.pop("urgency")
        try:
            body = encryption.encrypt(
                json.dumps(shown, ensure_ascii=False).encode(), p256dh=key(device.p256dh), auth=key(device.auth)
            )
        except ValueError as error:
            return Answer(Result.refused, f"the browser's keys are wrong: {error}")
        headers = [
            ("authorization", encryption.authorization(device.endpoint, clock.now())),
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aes128gcm"),
            # The push service keeps the push as long for a browser that is off.
            ("ttl", str(int(RETRIES.given_up_after.total_seconds()))),
            ("topic", topic_of(shown["tag"])),
            ("urgency", urgency),
        ]
        answer = post(device.endpoint, headers, body, seconds=MOST_SECONDS, trusts_networks=False, reads_answer=False)
        return replace(answer, result=_result(answer))

    def note(self, message: PushMessage, answer: Answer) -> None:
        """Store the outcome of a push. Updates no row if its device was removed in the meantime."""
        device, stored = Device.objects.filter(pk=message.device_id), PushMessage.objects.filter(pk=message.pk)
        now, attempts = clock.now(), message.attempts + 1
        if answer.result is Result.gone:
            device.delete()
        elif answer.result is Result.arrived:
            device.update(sent_at=now, failures=0)
        else:
            device.update(failures=F("failures") + 1)
            device.filter(failures__gte=MOST_FAILURES).delete()
        if wait := RETRIES.wait(answer, attempts=attempts, since=message.created_at):
            stored.update(attempts=attempts, next_at=now + wait)
        else:
            stored.delete()


def topic_of(tag: str) -> str:
    """Return a topic for a tag: at most 32 letters of base64 for URLs (RFC 8030)."""
    return encryption.to_text(sha256(tag.encode()).digest())[:32]


def is_endpoint(address: str) -> bool:
    """Say whether an address can be a push service's: `https://` on its usual port; with `DEBUG` any `http://` too."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    plain = address.isascii() and address.isprintable() and " " not in address and "\\" not in address
    known = bool(parts.hostname) and "@" not in parts.netloc and not parts.fragment and len(address) <= MOST_ENDPOINT
    if settings.DEBUG:
        return plain and known and parts.scheme in ("http", "https")
    return plain and known and parts.scheme == "https" and port in _PORTS


def is_private_endpoint(address: str) -> bool:
    """Say whether the host of an address is private. `is_endpoint` must have accepted the address. Resolves no name."""
    return is_private(urlsplit(address).hostname or "", trusts_networks=False)


def _result(answer: Answer) -> Result:
    if answer.status in GONE:
        return Result.gone
    is_final = answer.status is not None and answer.status < 500 and answer.status != 429
    if answer.result is Result.later and (is_final or answer.failure is Failure.PRIVATE_ADDRESS):
        return Result.refused
    return answer.result

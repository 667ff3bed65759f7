"""Writes a person's own preferences, devices and notices, and stops mails without a sign-in.

See infra/docs/rules.md#notices.
"""

import json
from collections.abc import Sequence
from datetime import time, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.utils.translation import override

from project.access.principal import Principal
from project.core import clock
from project.core.errors import InvalidFields, NotFound, Refusal
from project.core.idempotency import unit_of_work
from project.core.schemas import given
from project.core.texts import text
from project.core.versions import Unchanged, changed_or_as_it_is
from project.identity.selectors import language_of
from project.notices import encryption, push, raising, selectors, stopping
from project.notices.models import Device, LinkMail, Notice, NoticeSettings, PushMessage
from project.notices.rules import IN_DIGEST, NoticeChannel, NoticeKind, channels_of
from project.notices.schemas import NoticeDeviceIn, NoticePreferencesChange

MOST_DEVICES = 20
NOTICES_KEPT = timedelta(days=14)


class PushNotReady(Refusal):
    """The installation has no VAPID_KEY, or the browser registered for an earlier one."""

    code = "push_not_ready"


@unit_of_work
def preferences_change(
    *, body: NoticePreferencesChange, by: Principal, expected: frozenset[int] | None = None
) -> NoticeSettings:
    """Change the caller's preferences. If the mail server refused their address before, mails are tried again.

    Raises `StaleVersion` and `InvalidFields`: a kind twice, only one end of the quiet hours, or both the same, or a
    digest that is not offered to the caller.
    """

    def change() -> NoticeSettings:
        NoticeSettings.objects.get_or_create(
            user_id=by.user_id, defaults=dict(zip(("quiet_from", "quiet_until"), selectors.NIGHT, strict=True))
        )
        row = NoticeSettings.objects.select_for_update().get(user=by.user_id)
        row.claim(expected)
        before = _values(row)
        _write(row, given(body), by)
        if _values(row) == before and not row.mail_refused:
            raise Unchanged
        row.mail_refused = 0
        row.save()
        return row

    return changed_or_as_it_is(change, lambda: selectors.settings_of(by.user_id))


def _values(row: NoticeSettings) -> tuple[Any, ...]:
    return channels_of(row.channels), row.quiet_from, row.quiet_until, row.digest


def _write(row: NoticeSettings, fields: dict[str, Any], by: Principal) -> None:
    kinds = fields.get("kinds") or []
    for place, one in enumerate(kinds):
        if any(one.kind is before.kind for before in kinds[:place]):
            raise InvalidFields.of(f"kinds.{place}.kind", "named_twice")
    row.channels = row.channels | {one.kind.value: [channel.value for channel in one.channels] for one in kinds}
    for name in ("quiet_from", "quiet_until"):
        if name in fields:
            setattr(row, name, time.fromisoformat(fields[name]) if fields[name] else None)
    if (row.quiet_from is None) != (row.quiet_until is None):
        raise InvalidFields.of("quietFrom" if row.quiet_from is None else "quietUntil", "required")
    if row.quiet_from is not None and row.quiet_from == row.quiet_until:
        raise InvalidFields.of("quietUntil", "quiet_hours_equal")
    digest = fields.get("digest", row.digest)
    if digest and not row.digest and not selectors.digest_offered(by):
        raise InvalidFields.of("digest", "not_a_choice")
    row.digest = digest


@unit_of_work
def device_add(*, body: NoticeDeviceIn, by: Principal) -> Device:
    """Register a browser for the caller's pushes. A browser that registers again keeps its device.

    If the browser was another person's device, that device is deleted. Deletes the caller's oldest devices beyond
    `MOST_DEVICES`. Raises `PushNotReady` and `InvalidFields`.
    """
    if not settings.VAPID_KEY:
        raise PushNotReady
    if not push.is_endpoint(body.endpoint):
        raise InvalidFields.of("endpoint", "invalid")
    if push.is_private_endpoint(body.endpoint):
        raise InvalidFields.of("endpoint", "private_address")
    _check_keys(body)
    fingerprint = sha256(body.endpoint.encode()).hexdigest()
    # The caller sent the browser's keys, so the browser is theirs now. Remove the device of its former user.
    Device.objects.filter(fingerprint=fingerprint).exclude(user=by.user_id).delete()
    values = {
        "user_id": by.user_id,
        "endpoint": body.endpoint,
        "p256dh": body.keys.p256dh,
        "auth": body.keys.auth,
        "key": encryption.application_key(),
        "label": body.label,
        "failures": 0,
    }
    device, _ = Device.objects.update_or_create(
        fingerprint=fingerprint, defaults=values, create_defaults=values | {"created_at": clock.now()}
    )
    beyond = list(selectors.devices_of(by).values_list("pk", flat=True)[MOST_DEVICES:])
    Device.objects.filter(pk__in=beyond).delete()
    return device


def forget_devices() -> int:
    """Forget all browsers of a restored database, and their pushes: some may have been removed since the backup.

    Publishes no event: nobody is connected yet. Returns the number of browsers.
    """
    devices = Device.objects.count()
    Device.objects.all().delete()
    return devices


def _check_keys(body: NoticeDeviceIn) -> None:
    """Raise `InvalidFields` unless the keys can be a browser's."""
    try:
        encryption.public_key(encryption.from_text(body.keys.p256dh))
    except ValueError as error:
        raise InvalidFields.of("keys.p256dh", "invalid") from error
    try:
        whole = len(encryption.from_text(body.keys.auth)) == encryption.AUTH_BYTES
    except ValueError:
        whole = False
    if not whole:
        raise InvalidFields.of("keys.auth", "invalid")


@unit_of_work
def device_remove(*, device_id: int, by: Principal) -> Device:
    """Delete a device of the caller: it gets no more pushes. Raises `NotFound`."""
    device = _device_for_update(device_id, by)
    Device.objects.filter(pk=device_id).delete()
    return device


def _device_for_update(device_id: int, by: Principal) -> Device:
    """Lock a device of the caller. Raises `NotFound`, also for another person's device."""
    device = selectors.devices_of(by).select_for_update().filter(pk=device_id).first()
    if device is None:
        raise NotFound
    return device


@unit_of_work
def device_test(*, device_id: int, by: Principal) -> Device:
    """Send a push to a device of the caller, also in quiet hours. A no-op while another push to it waits.

    Raises `NotFound`, `PushNotReady`.
    """
    device = _device_for_update(device_id, by)
    if not settings.VAPID_KEY or device.key != encryption.application_key():
        raise PushNotReady
    if not device.messages.exists():
        now = clock.now()
        PushMessage.objects.create(device=device, payload=_trial(by), created_at=now, next_at=now)
    return device


def _trial(by: Principal) -> str:
    """Return the payload of a push that only shows that pushes arrive."""
    with override(language_of(by.user_id)):
        body = text("notices_trial")
    shown = {"title": "Obrador", "body": body, "tag": "trial", "path": "/account/notices", "urgency": "high"}
    return json.dumps(shown, ensure_ascii=False)


@unit_of_work
def notices_read(*, ids: Sequence[int], by: Principal) -> None:
    """Mark notices of the caller as read; idempotent."""
    read = Notice.objects.filter(user=by.user_id, pk__in=ids, read_at=None).update(read_at=clock.now())
    if read:
        raising.publish_bells([by.user_id])


@unit_of_work
def mails_stop(*, token: str) -> str:
    """Stop the mails to which a token belongs; idempotent. Raises `NotFound`.

    Returns what was stopped: `digest`, `link` or a kind of notice.
    """
    stopped = stopping.read(token)
    if stopped is None:
        raise NotFound
    if stopped.what == stopping.LINK:
        LinkMail.objects.filter(pk=stopped.subject, stopped_at=None).update(stopped_at=clock.now())
    else:
        _stop_mails_of(stopped.what, stopped.subject)
    return stopped.what


def _stop_mails_of(what: str, user_id: int) -> None:
    """Turn off a person's mails of a kind, or their digest. A no-op without stored settings.

    Turning off the digest also turns off the mails of its kinds.
    """
    row = NoticeSettings.objects.select_for_update().filter(user=user_id).first()
    if row is None:
        return
    kinds = IN_DIGEST if what == stopping.DIGEST else {NoticeKind(what)}
    channels = channels_of(row.channels)
    wanted = [kind for kind in kinds if NoticeChannel.Mail in channels[kind]]
    if not wanted and not (what == stopping.DIGEST and row.digest):
        return
    row.claim(None)
    for kind in wanted:
        row.channels[kind.value] = [one.value for one in channels[kind] if one is not NoticeChannel.Mail]
    row.digest = row.digest and what != stopping.DIGEST
    row.save()


def forget_old() -> None:
    """Delete notices of the bell that are older than two weeks."""
    Notice.objects.filter(created_at__lt=clock.now() - NOTICES_KEPT).delete()

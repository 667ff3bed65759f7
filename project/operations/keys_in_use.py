"""The doctor's check of the secrets: how old each is, what still depends on older ones, and which are weak."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings

from project.core import clock
from project.core.sealing import own_secrets
from project.doors import authenticators
from project.doors.selectors import authenticators_by_key
from project.identity import pins
from project.integrations import webhooks
from project.operations.doctor import Remark, fine, warning
from project.operations.models import KnownKey
from project.operations.repository import BackupError, keys
from project.operations.snapshot import fingerprint

OLD = timedelta(days=400)
SETTLED = timedelta(days=2)
"""Once a new secret has been in use for this time, no session, list or repeated write depends on the earlier secret."""
FEWEST_LETTERS = 10
"""A random key has at least this many different characters."""
MAKE_ONE = "Put a new one in front: `openssl rand -base64 48` makes it, infra/docs/keys.md says how."


def of_keys() -> Iterator[Remark]:
    backup: list[str] = []
    with suppress(BackupError):  # the check of the backups reports it
        backup = keys()
    for name, secrets in (("SECRET_KEY", own_secrets()), ("QR_KEYS", settings.QR_KEYS), ("BACKUP_KEY", backup)):
        yield from _of_one_purpose(name, [*secrets])
    yield from _of_old_secrets()
    yield from _of_lost_secrets()
    if set(settings.QR_KEYS) == {*own_secrets()}:
        yield fine("the codes on sheets depend on SECRET_KEY, since QR_KEYS is not set")
    if set(backup) & {*own_secrets(), *settings.QR_KEYS}:
        yield warning("one secret is a backup's key and something else, too", MAKE_ONE)


def _of_one_purpose(name: str, secrets: list[str]) -> Iterator[Remark]:
    if not secrets:
        return
    since = _first_seen(secrets[0])
    before = f", {len(secrets) - 1} more are read" if secrets[1:] else ", the only one"
    says = f"{name} is in use since {since:%Y-%m-%d} or longer{before}"
    yield warning(says, MAKE_ONE) if clock.now() - since > OLD else fine(says)
    if any(len(set(secret)) < FEWEST_LETTERS for secret in secrets):
        yield warning(f"{name} has a secret that is easily guessed", MAKE_ONE)


def _of_old_secrets() -> Iterator[Remark]:
    """Report what depends on each older secret. PINs, webhooks and apps derive different keys from the same secret."""
    of_pins, of_apps = pins.kept_by_key(), authenticators_by_key()
    of_webhooks = Counter(key_id for needed in webhooks.keys_needed(clock.now()) for key_id in set(needed))
    keys_of_old = zip(pins.key_ids()[1:], webhooks.key_ids()[1:], authenticators.key_ids()[1:], strict=True)
    for number, (pin_key, webhook_key, app_key) in enumerate(keys_of_old, start=1):
        old = f"secret {number} of SECRET_KEY_FALLBACKS"
        if count := of_pins.get(pin_key):
            yield fine(f"{count} PINs depend on {old} until they are used again")
        if count := of_webhooks.get(webhook_key):
            yield fine(f"{count} webhooks depend on {old} until a day after each was given a new secret")
        if count := of_apps.get(app_key):
            yield fine(f"{count} authenticator apps depend on {old} until they are used again")
        settled = clock.now() - _first_seen(settings.SECRET_KEY) > SETTLED
        if settled and pin_key not in of_pins and webhook_key not in of_webhooks and app_key not in of_apps:
            yield warning(
                f"{old} is read, and no PIN, no webhook and no authenticator app depends on it",
                "Finish the change, or take it out: infra/docs/keys.md says what becomes of printed sheets.",
            )


def _of_lost_secrets() -> Iterator[Remark]:
    """Report PINs, webhooks and apps that were made with a secret which the settings do not name."""
    known = pins.key_ids()
    if count := sum(count for key_id, count in pins.kept_by_key().items() if key_id not in known):
        yield warning(
            f"{count} PINs were made with a secret that is not here",
            "Put it into SECRET_KEY_FALLBACKS, or give those people new PINs.",
        )
    known = authenticators.key_ids()
    if count := sum(count for key_id, count in authenticators_by_key().items() if key_id not in known):
        yield warning(
            f"{count} authenticator apps cannot be read: their secrets were sealed with a secret that is not here",
            "Put it into SECRET_KEY_FALLBACKS, or reset them: `manage.py second-factor --reset EMAIL`.",
        )
    known = webhooks.key_ids()
    if count := sum(present not in known for present, *_ in webhooks.keys_needed(clock.now())):
        yield warning(
            f"{count} webhooks are sent nothing: their secrets were sealed with a secret that is not here",
            "Put it into SECRET_KEY_FALLBACKS, or give those webhooks new secrets.",
        )


def _first_seen(secret: str) -> datetime:
    known, _ = KnownKey.objects.get_or_create(fingerprint=fingerprint(secret), defaults={"since": clock.now()})
    return known.since

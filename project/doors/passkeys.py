"""Passkeys: WebAuthn credentials that a device offers by itself (discoverable) and guards by PIN or finger.

The site's name in `PUBLIC_URL` is what a passkey is bound to: with another name nobody can use theirs any more.
"""

import json
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import webauthn
from django.conf import settings
from django.db import IntegrityError, transaction
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from project.access import throttle
from project.access.models import SignInAttempt
from project.audit import services as audit
from project.core import clock
from project.core.errors import AlreadyExists, NotFound
from project.core.idempotency import unit_of_work
from project.doors import auditing, challenges, rules, schemas, selectors
from project.doors.models import Passkey
from project.identity.models import User

RP_NAME = "Obrador"
MOST_PASSKEYS = 20
ADDING, ENTERING = b"add a passkey", b"enter by a passkey"
OFFER_LASTS = timedelta(hours=1)
"""How long the sign-in page may offer passkeys in its e-mail field before it asks for a new challenge."""

log = logging.getLogger(__name__)


def _rp_id() -> str:
    return urlsplit(settings.PUBLIC_URL).hostname or ""


def _origins() -> list[str]:
    """Return the origins that the site's passkeys may come from: its own, and those of `LIVE_ORIGINS` by its name."""
    parts = urlsplit(settings.PUBLIC_URL)
    own = f"{parts.scheme}://{parts.netloc}"
    return [own, *(one for one in settings.LIVE_ORIGINS if urlsplit(one).hostname == _rp_id())]


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what the library raises for an answer that proves nothing into `PasskeyRefused`."""
    try:
        yield
    except Exception as error:  # malformed answers raise errors of many kinds: of CBOR, base64, keys, struct
        log.info("a passkey's answer was refused: %s", type(error).__name__)
        raise rules.PasskeyRefused from error


def creation_options(user: User) -> schemas.PasskeyOptions:
    """Return the options with which a browser makes a passkey for this person. They can be used once."""
    held = Passkey.objects.filter(user=user)
    handle = held.values_list("handle", flat=True).first() or bytes_to_base64url(secrets.token_bytes(32))
    challenge = secrets.token_bytes(32)
    options = webauthn.generate_registration_options(
        rp_id=_rp_id(),
        rp_name=RP_NAME,
        user_id=base64url_to_bytes(handle),
        user_name=user.email,
        user_display_name=user.full_name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.credential_id)) for one in held],
    )
    state = challenges.seal(ADDING, user=user.pk, handle=handle, challenge=bytes_to_base64url(challenge))
    return schemas.PasskeyOptions(options=_as_dict(options), state=state)


@unit_of_work
def add(user: User, body: schemas.NewPasskey) -> Passkey:
    """Store a passkey that the person's device made.

    Raises `ChallengeOver`, `PasskeyRefused`, `TooManyPasskeys`, `AlreadyExists`.
    """
    note = challenges.read(ADDING, body.state)
    if note["user"] != user.pk or not challenges.is_first_answer(note["challenge"], lasts=challenges.LASTS):
        raise rules.PasskeyRefused
    with _refusing():
        made = webauthn.verify_registration_response(
            credential={
                "id": body.id,
                "rawId": body.id,
                "type": "public-key",
                "response": {"clientDataJSON": body.client_data, "attestationObject": body.attestation},
            },
            expected_challenge=base64url_to_bytes(note["challenge"]),
            expected_rp_id=_rp_id(),
            expected_origin=_origins(),
            require_user_verification=True,
        )
    User.objects.select_for_update().get(pk=user.pk)
    if Passkey.objects.filter(user=user).count() >= MOST_PASSKEYS:
        raise rules.TooManyPasskeys
    row = Passkey(
        user=user,
        name=body.name,
        credential_id=bytes_to_base64url(made.credential_id),
        public_key=bytes_to_base64url(made.credential_public_key),
        handle=note["handle"],
        sign_count=made.sign_count,
        synced=made.credential_backed_up,
        created_at=clock.now(),
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise AlreadyExists("id") from error
    auditing.record(user, {}, {"passkey": row.name})
    return row


@unit_of_work
def rename(user: User, passkey_id: int, name: str) -> None:
    """Give one of the person's passkeys another name. Raises `NotFound`."""
    row = _own(user, passkey_id)
    if row.name != name:
        auditing.record(user, {"passkey": row.name}, {"passkey": name})
        row.name = name
        row.save(update_fields=["name"])


@unit_of_work
def remove(user: User, passkey_id: int) -> None:
    """Remove one of the person's passkeys. Raises `NotFound`, `FactorRequired`."""
    User.objects.select_for_update().get(pk=user.pk)
    row, ways = _own(user, passkey_id), selectors.ways_of(user)
    rules.check_removal(
        ways.need, codes_left=ways.authenticator is not None, passkeys_left=any(one != row for one in ways.passkeys)
    )
    row.delete()
    auditing.record(user, {"passkey": row.name}, {})


def request_options() -> schemas.PasskeyOptions:
    """Return what a browser needs to sign in by any passkey that the device has for this site."""
    challenge = secrets.token_bytes(32)
    options = webauthn.generate_authentication_options(
        rp_id=_rp_id(), challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
    )
    state = challenges.seal(ENTERING, challenge=bytes_to_base64url(challenge))
    return schemas.PasskeyOptions(options=_as_dict(options), state=state)


def user_of_passkey(body: schemas.PasskeyAnswer, *, address: str) -> User:
    """Return the user whose passkey answered. Raises `TooManyAttempts`, `PasskeyRefused`, `ChallengeOver`."""
    attempt = throttle.begin(f"passkey {body.id}"[:254], address, purpose=SignInAttempt.PASSKEY)
    try:
        user = _user_of_passkey(body)
    except rules.PasskeyRefused:
        if throttle.failed(attempt):
            known = Passkey.objects.filter(credential_id=body.id).values_list("user", flat=True).first()
            audit.record_guessing("passkey", entity_id=known or 0)
        raise
    except BaseException:
        throttle.withdraw(attempt)
        raise
    throttle.succeeded(attempt)
    return user


@unit_of_work
def _user_of_passkey(body: schemas.PasskeyAnswer) -> User:
    note = challenges.read(ENTERING, body.state, lasts=OFFER_LASTS)
    row = Passkey.objects.select_for_update(of=("self",)).select_related("user").filter(credential_id=body.id).first()
    if row is None or row.handle != body.handle or not row.user.may_sign_in:
        raise rules.PasskeyRefused
    with _refusing():
        # Also refuses a counter that did not grow: another device has a copy of the key.
        used = webauthn.verify_authentication_response(
            credential={
                "id": body.id,
                "rawId": body.id,
                "type": "public-key",
                "response": {
                    "clientDataJSON": body.client_data,
                    "authenticatorData": body.authenticator_data,
                    "signature": body.signature,
                    "userHandle": body.handle,
                },
            },
            expected_challenge=base64url_to_bytes(note["challenge"]),
            expected_rp_id=_rp_id(),
            expected_origin=_origins(),
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
    if not challenges.is_first_answer(note["challenge"], lasts=OFFER_LASTS):
        raise rules.PasskeyRefused
    row.sign_count, row.synced, row.used_at = used.new_sign_count, used.credential_backed_up, clock.now()
    row.save(update_fields=["sign_count", "synced", "used_at"])
    return row.user


def _own(user: User, passkey_id: int) -> Passkey:
    row = Passkey.objects.select_for_update().filter(user=user, pk=passkey_id).first()
    if row is None:
        raise NotFound
    return row


def _as_dict(options: Any) -> dict[str, Any]:
    return dict(json.loads(webauthn.options_to_json(options)))

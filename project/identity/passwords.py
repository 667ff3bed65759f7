"""Changing and recovering one's own password (infra/docs/rules.md#passwords)."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import QuerySet

from project.access import throttle
from project.access.known_browsers import Browser
from project.access.models import SignInAttempt
from project.access.principal import Principal
from project.audit import services as audit
from project.core.errors import FieldError, PermissionDenied, TooManyAttempts
from project.core.mailing import mail
from project.identity import rules
from project.identity.models import User
from project.identity.sessions import announce_end

log = logging.getLogger(__name__)

# Mail goes out beside the answer: a known address answers no later than an unknown one.
_post_office = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def password_change(
    *,
    user_id: int,
    current: str,
    new: str,
    confirmation: str,
    address: str,
    by: Principal,
    expected: frozenset[int] | None = None,
) -> str:
    """Change one's own password; every session of the account ends, this one too. Returns the hash of the new one.

    Raises `PermissionDenied` for somebody else's, `WrongCurrentPassword`, `ConfirmationDiffers`, `WeakPassword`,
    `StaleVersion`, `TooManyAttempts`: an open session is no place to guess the password in. Not atomic as a whole, so
    that a wrong one stays counted.
    """
    if user_id != by.user_id:
        raise PermissionDenied
    attempt = throttle.begin(str(user_id), address, purpose=SignInAttempt.CHANGE_PASSWORD)
    user = User.objects.filter(pk=user_id).first()
    if user is None or not user.check_password(current[: rules.LONGEST_PASSWORD + 1]):
        if throttle.failed(attempt):
            audit.record_guessing("password", entity_id=user_id, label=by.full_name, by=by)
        raise rules.WrongCurrentPassword(errors=[FieldError("currentPassword", "wrong_current_password")])
    throttle.succeeded(attempt)
    new_hash = _hash(new, confirmation)
    with transaction.atomic():
        current_row = User.objects.select_for_update().filter(pk=user_id, password=user.password).first()
        if current_row is None:  # another tab was quicker
            raise rules.WrongCurrentPassword(errors=[FieldError("currentPassword", "wrong_current_password")])
        current_row.check_version(expected)
        _set(current_row, new_hash, by)
    throttle.forget(current_row.email.lower())
    return current_row.password


def recovery_request(*, email: str, address: str, browser: Browser) -> None:
    """Mail a single-use link to the account of this address, if there is one. Says nothing of whether there is.

    Whoever asks too often gets the same answer, and nothing is sent. Without a mail server no link is made.
    """
    if not settings.MAIL_SERVER:
        return
    asked = email.strip().lower()[:254]
    user = User.objects.filter(email__iexact=asked).first()
    user = user if user and user.may_sign_in else None
    try:
        throttle.failed(throttle.begin_here(asked, user, browser, address, purpose=SignInAttempt.RECOVERY))
    except TooManyAttempts:
        log.warning("recovery links were asked for too often from %s", address)
        return
    if user is not None:
        token = f"{user.pk}-{default_token_generator.make_token(user)}"
        link = f"{settings.PUBLIC_URL}/#/Restablecer/{token}"
        texts = {"subject": "recovery_subject", "body": "recovery_body", "link": link}
        _post_office.submit(copy_context().run, partial(mail, user.email, language=user.language, **texts))


def password_reset(*, token: str, new: str, confirmation: str) -> None:
    """Set a new password by the mailed link, once. Raises `InvalidToken`, `ConfirmationDiffers`, `WeakPassword`."""
    _whose_link(token, User.objects.all())  # before a hash is made for nobody
    new_hash = _hash(new, confirmation)
    with transaction.atomic():
        user = _whose_link(token, User.objects.select_for_update())
        _set(user, new_hash, None)
        throttle.forget(user.email.lower())


def _whose_link(token: str, users: QuerySet[User]) -> User:
    """Raises `InvalidToken`, for a link that was used too."""
    user_id, _, secret = token.partition("-")
    known = user_id.isdecimal() and len(user_id) < 19
    user = users.filter(pk=int(user_id), active=True, locked=False).first() if known else None
    if user is None or not default_token_generator.check_token(user, secret):
        raise rules.InvalidToken(errors=[FieldError("token", "invalid_token")])
    return user


def _hash(new: str, confirmation: str) -> str:
    """Takes about 100 ms: not while a lock is held. Raises `ConfirmationDiffers`, `WeakPassword`."""
    if new != confirmation:
        raise rules.ConfirmationDiffers(errors=[FieldError("confirmNewPassword", "confirmation_differs")])
    if not rules.PASSWORD.fullmatch(new):
        raise rules.WeakPassword(errors=[FieldError("newPassword", "weak_password")])
    return make_password(new)


def _set(user: User, new_hash: str, by: Principal | None) -> None:
    user.password = new_hash
    user.end_sessions()
    user.claim(None)
    user.save(update_fields=["password", "token_version", "version"])
    audit.record(
        entity="users",
        entity_id=user.pk,
        label=str(user),
        action="password",
        before={},
        after={"password": audit.HIDDEN},
        by=by,
    )
    announce_end(user.pk, by)

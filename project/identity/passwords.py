"""Changing and recovering a user's own password (infra/docs/rules.md#passwords)."""

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
from project.core.mailing import company_name, mail
from project.identity import rules
from project.identity.models import User
from project.identity.sessions import announce_end

log = logging.getLogger(__name__)

# Send mail in the background, so that a known address takes no longer than an unknown one.
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
    """Change the caller's own password and end all sessions of the account, this one too. Returns the new hash.

    Raises `PermissionDenied` for another user's account, `WrongCurrentPassword`, `ConfirmationDiffers`, `WeakPassword`,
    `StaleVersion`, and `TooManyAttempts`, so that nobody can guess the password in an open session. Not one
    transaction, so that a failed attempt stays counted.
    """
    if user_id != by.user_id:
        raise PermissionDenied
    user = confirmed(current=current, address=address, by=by)
    new_hash = _hash(new, confirmation)
    with transaction.atomic():
        current_row = User.objects.select_for_update().filter(pk=user_id, password=user.password).first()
        if current_row is None:  # another request changed the password first
            raise rules.WrongCurrentPassword(errors=[FieldError("currentPassword", "wrong_current_password")])
        current_row.check_version(expected)
        _set(current_row, new_hash, by)
    throttle.forget(current_row.email.lower())
    return current_row.password


def confirmed(*, current: str, address: str, by: Principal) -> User:
    """Return the caller's account after they gave its current password again.

    Raises `WrongCurrentPassword`, and `TooManyAttempts`, so that nobody can guess the password in an open session. Call
    it outside a transaction, so that a failed attempt stays counted.
    """
    attempt = throttle.begin(str(by.user_id), address, purpose=SignInAttempt.CHANGE_PASSWORD)
    user = User.objects.filter(pk=by.user_id).first()
    if user is None or not user.check_password(current[: rules.LONGEST_PASSWORD + 1]):
        if throttle.failed(attempt):
            audit.record_guessing("password", entity_id=by.user_id, label=by.full_name, by=by)
        raise rules.WrongCurrentPassword(errors=[FieldError("currentPassword", "wrong_current_password")])
    throttle.succeeded(attempt)
    return user


def recovery_request(*, email: str, address: str, browser: Browser) -> None:
    """Mail a single-use link to the account with this e-mail, if there is one. Does not reveal whether there is.

    Too many requests get the same answer, but no mail. Without a mail server no link is made.
    """
    if not settings.MAIL_SERVER:
        return
    asked, company = email.strip().lower()[:254], company_name()
    user = User.objects.of_email(asked)
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
        _post_office.submit(
            copy_context().run, partial(mail, user.email, company=company, language=user.language, **texts)
        )


def password_reset(*, token: str, new: str, confirmation: str) -> None:
    """Set a new password with the mailed link, once. Raises `InvalidToken`, `ConfirmationDiffers`, `WeakPassword`."""
    _whose_link(token, User.objects.all())  # check first, because hashing is slow
    new_hash = _hash(new, confirmation)
    with transaction.atomic():
        user = _whose_link(token, User.objects.select_for_update())
        _set(user, new_hash, None)
        throttle.forget(user.email.lower())


def _whose_link(token: str, users: QuerySet[User]) -> User:
    """Return the user of a mailed link. Raises `InvalidToken`, also for a used link."""
    user_id, _, secret = token.partition("-")
    known = user_id.isdecimal() and len(user_id) < 19
    user = users.filter(pk=int(user_id), active=True, locked=False).first() if known else None
    if user is None or not default_token_generator.check_token(user, secret):
        raise rules.InvalidToken(errors=[FieldError("token", "invalid_token")])
    return user


def _hash(new: str, confirmation: str) -> str:
    """Hash a new password. Takes about 100 ms: do not hold a lock. Raises `ConfirmationDiffers`, `WeakPassword`."""
    if new != confirmation:
        raise rules.ConfirmationDiffers(errors=[FieldError("confirmNewPassword", "confirmation_differs")])
    if rules.is_weak(new):
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

"""Change the caller's ways of signing in, and reset a person's from the command line."""

from project.access import throttle
from project.access.models import SignInAttempt
from project.access.principal import Principal
from project.audit import services as audit
from project.core.errors import InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.requests import current_address
from project.doors import auditing, authenticators, passkeys, rules
from project.doors.models import Authenticator, Passkey, RecoveryCode
from project.doors.schemas import NewPasskey
from project.identity import passwords
from project.identity.models import User
from project.identity.sessions import announce_end


def own(by: Principal) -> User:
    """Return the caller's account. 1 query."""
    return User.objects.get(pk=by.user_id)


def confirmed(current_password: str, by: Principal) -> User:
    """Return the caller's account after they gave their password again, so that an open session alone changes nothing.

    An account without a password, made by a sign-in with the company's account, is returned unchecked. Raises
    `WrongCurrentPassword`, `TooManyAttempts`.
    """
    user = own(by)
    if not user.has_usable_password():
        return user
    return passwords.confirmed(current=current_password, address=current_address.get(), by=by)


def app_confirm(code: str, *, by: Principal) -> list[str]:
    """Put the caller's new app into use. Returns recovery codes.

    Raises `TooManyAttempts`, and `InvalidFields` with code `invalid_code`: a 401 would end the session in browsers.
    """
    user = own(by)
    attempt = throttle.begin(str(user.pk), current_address.get(), purpose=SignInAttempt.SECOND_FACTOR)
    try:
        codes = authenticators.confirm(user, code)
    except rules.InvalidCode as error:
        if throttle.failed(attempt):
            audit.record_guessing("code", entity_id=user.pk, label=user.full_name, by=by)
        raise InvalidFields.of("code", "invalid_code") from error
    throttle.withdraw(attempt)  # or a new app would give new tries at the codes of a sign-in
    return codes


def passkey_add(body: NewPasskey, *, by: Principal) -> Passkey:
    """Store a passkey of the caller. Raises `TooManyPasskeys`, `AlreadyExists`, `InvalidFields` (not 401)."""
    try:
        return passkeys.add(own(by), body)
    except (rules.PasskeyRefused, rules.ChallengeOver) as error:
        raise InvalidFields.of("id", "passkey_refused") from error


@unit_of_work
def reset(email: str) -> User:
    """Remove a person's app, recovery codes and passkeys, and end their sessions. Raises `NotFound`."""
    found = User.objects.of_email(email)
    if found is None:
        raise NotFound
    user = User.objects.select_for_update().get(pk=found.pk)
    before = {
        "authenticator": Authenticator.objects.filter(user=user, confirmed_at__isnull=False).exists(),
        "passkeys": Passkey.objects.filter(user=user).count(),
    }
    for model in (Authenticator, RecoveryCode, Passkey):
        model.objects.filter(user=user).delete()
    user.end_sessions()
    user.claim(None)
    user.save(update_fields=["token_version", "version"])
    announce_end(user.pk, None)
    throttle.of_account(user.pk, [user.email]).filter(purpose=SignInAttempt.SECOND_FACTOR).delete()
    after = {"authenticator": False, "passkeys": 0, "secondFactor": audit.HIDDEN}
    auditing.record(user, before, after, by_command=True)
    return user

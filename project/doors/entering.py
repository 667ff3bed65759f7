"""Signing in: every door leads to `enter`, which says what is still needed or begins the session."""

from dataclasses import dataclass

from django.conf import settings

from project.access import throttle
from project.access.models import SignInAttempt
from project.audit import services as audit
from project.doors import authenticators, challenges, passkeys, rules, schemas, selectors
from project.doors.authenticators import Seed
from project.doors.models import Authenticator, Passkey
from project.doors.rules import Door, Factor
from project.identity import sessions
from project.identity.models import User, UserType

PURPOSE = b"second factor"


@dataclass(frozen=True)
class Entered:
    """A person whose session has begun. `recovery_codes`: new ones, shown once."""

    user: User
    token: str
    recovery_codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Begun:
    """A sign-in that waits for more: the person, the door that they passed, and whether they gave a code."""

    user: User
    door: Door
    code_given: bool


def enter(user: User, door: Door, *, code_given: bool = False) -> str:
    """Begin the person's session and return its token. Raises `SecondFactorRequired`, `CompanyOnly`.

    `code_given`: a code was given in this sign-in, or the browser is remembered.
    """
    company = settings.COMPANY_ACCOUNTS
    if company and company["only"] and door != Door.COMPANY and user.user_type == UserType.INTERNAL:
        raise rules.CompanyOnly
    missing = _missing(user, door, code_given=code_given)
    if missing is None:
        return sessions.begin(user)
    raise rules.SecondFactorRequired(
        challenge=challenges.seal(
            PURPOSE, user=user.pk, version=user.token_version, door=door.value, codeGiven=code_given
        ),
        factors=[one.value for one in missing.factors],
        enrolls=[one.value for one in missing.enrolls],
        rememberDays=settings.SECOND_FACTOR_DAYS,
    )


def by_code(*, challenge: str, code: str, address: str) -> Entered:
    """Finish a sign-in with a code, or put a new app into use with its first code.

    Raises `ChallengeOver`, `TooManyAttempts`, `InvalidCode`, and `SecondFactorRequired` if the person needs a passkey.
    """
    begun = _begun(challenge)
    user, missing = begun.user, _missing(begun.user, begun.door, code_given=begun.code_given)
    attempt = throttle.begin(str(user.pk), address, purpose=SignInAttempt.SECOND_FACTOR)
    recovery_codes: list[str] = []
    try:
        if missing and Factor.CODE in missing.enrolls:
            recovery_codes = authenticators.confirm(user, code)
        elif not authenticators.accepts(user, code):
            raise rules.InvalidCode
    except rules.InvalidCode:
        if throttle.failed(attempt):
            audit.record_guessing("code", entity_id=user.pk, label=user.full_name)
        raise
    except BaseException:
        throttle.withdraw(attempt)
        raise
    throttle.withdraw(attempt)  # a success must not clear the failures of whoever else has the password
    return Entered(user, enter(user, begun.door, code_given=True), tuple(recovery_codes))


def app_begin(challenge: str) -> Seed:
    """Begin to set up an app during a sign-in that requires a second factor. Raises `ChallengeOver`."""
    return authenticators.begin(_enrolling(challenge, Factor.CODE))


def passkey_options(challenge: str) -> schemas.PasskeyOptions:
    """Begin to set up a passkey during a sign-in that requires one. Raises `ChallengeOver`."""
    return passkeys.creation_options(_enrolling(challenge, Factor.PASSKEY))


def by_new_passkey(body: schemas.FirstPasskey) -> Entered:
    """Finish a sign-in by a passkey that was set up in it. Raises `ChallengeOver`, `PasskeyRefused`."""
    user = _enrolling(body.challenge, Factor.PASSKEY)
    passkeys.add(user, body)
    return Entered(user, enter(user, Door.PASSKEY))


def _enrolling(challenge: str, factor: Factor) -> User:
    """Return the person who may set up `factor` in their sign-in. Raises `ChallengeOver`."""
    begun = _begun(challenge)
    missing = _missing(begun.user, begun.door, code_given=begun.code_given)
    if missing is None or factor not in missing.enrolls:
        raise rules.ChallengeOver
    return begun.user


def _begun(challenge: str) -> _Begun:
    """Return the sign-in of a challenge. Raises `ChallengeOver`, also if the account's sessions were ended since."""
    note = challenges.read(PURPOSE, challenge)
    user = User.objects.filter(pk=note["user"], token_version=note["version"]).first()
    if user is None or not user.may_sign_in:
        raise rules.ChallengeOver
    return _Begun(user, Door(note["door"]), note["codeGiven"])


def _missing(user: User, door: Door, *, code_given: bool) -> rules.Missing | None:
    return rules.missing(
        door,
        selectors.need_of(user),
        has_code=Authenticator.objects.filter(user=user, confirmed_at__isnull=False).exists(),
        has_passkey=Passkey.objects.filter(user=user).exists(),
        code_given=code_given,
    )

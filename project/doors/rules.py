"""What a sign-in still needs after a door was passed, and the refusals (infra/docs/rules.md#second-factor)."""

from dataclasses import dataclass
from enum import StrEnum

from project.core.errors import Refusal
from project.identity.models import SecondFactor


class Door(StrEnum):
    """How a person proved who they are."""

    PASSWORD = "password"  # noqa: S105 - the name of a door
    PASSKEY = "passkey"
    COMPANY = "company"


class Factor(StrEnum):
    """What a person may give beside their password: a passkey, or a code (of their app, or a recovery code)."""

    CODE = "code"
    PASSKEY = "passkey"


class SecondFactorRequired(Refusal):
    """The password or the company's account was accepted, but the sign-in needs a second factor.

    `challenge`: the client sends it back with the factor. `factors`: the person has these and may give one. `enrolls`:
    the person may set up one of these, because they have no sufficient factor. `rememberDays`: for how long the browser
    may be remembered.
    """

    status = 401
    code = "second_factor_required"


class InvalidCode(Refusal):
    """The code is wrong, has expired, or was used before."""

    status = 401
    code = "invalid_code"


class ChallengeOver(Refusal):
    """The sign-in took too long, or the account changed since it began. The person must start again."""

    status = 401
    code = "challenge_over"


class PasskeyRefused(Refusal):
    """The passkey is unknown, or its signature is not valid. The refusal does not reveal which."""

    status = 401
    code = "passkey_refused"


class CompanyRefused(Refusal):
    """The sign-in with the company's account is not valid, or the account here is locked. The log says why."""

    status = 401
    code = "company_refused"


class CompanyUnknown(Refusal):
    """The company's provider confirmed the person, but no account here has their e-mail."""

    status = 401
    code = "company_unknown"


class CompanyOnly(Refusal):
    """A member of staff used a password or a passkey, but staff may sign in only with the company's account."""

    status = 401
    code = "company_only"


class CompanyUnavailable(Refusal):
    """The company's provider does not answer, or its answer does not follow OpenID Connect."""

    status = 503
    code = "company_unavailable"


class NoCompany(Refusal):
    """The installation has no provider of company accounts."""

    status = 404
    code = "not_found"


class FactorRequired(Refusal):
    """The person wants to remove a factor that is required of them, and they have no other sufficient one."""

    code = "factor_required"


class TooManyPasskeys(Refusal):
    code = "too_many_passkeys"


@dataclass(frozen=True)
class Missing:
    """What a sign-in still needs: one of `factors`, or to set up one of `enrolls`."""

    factors: tuple[Factor, ...] = ()
    enrolls: tuple[Factor, ...] = ()


def missing(
    door: Door, need: SecondFactor, *, has_code: bool, has_passkey: bool, code_given: bool = False
) -> Missing | None:
    """Return what a sign-in still needs; None if nothing.

    `need`: what the person's roles and the installation require. `code_given`: a code was given in this sign-in, or
    this browser is remembered. A passkey is two factors already, and the company's provider asks for its own second
    factor. So neither needs more, unless the company's door is used and a passkey is required. A person with an app
    always gives its code first, even to set up a passkey: a password alone must not add a passkey.
    """
    if door == Door.PASSKEY:
        return None
    code_missing = door == Door.PASSWORD and has_code and not code_given
    if need == SecondFactor.PASSKEY:
        if has_passkey:
            return Missing(factors=(Factor.PASSKEY,))
        return Missing(factors=(Factor.CODE,)) if code_missing else Missing(enrolls=(Factor.PASSKEY,))
    if code_missing:
        return Missing(factors=(Factor.CODE, Factor.PASSKEY) if has_passkey else (Factor.CODE,))
    if need == SecondFactor.NONE or has_code or door == Door.COMPANY:
        return None
    return Missing(factors=(Factor.PASSKEY,)) if has_passkey else Missing(enrolls=(Factor.CODE, Factor.PASSKEY))


def check_removal(need: SecondFactor, *, codes_left: bool, passkeys_left: bool) -> None:
    """Check that a person still has the required factor after a removal. Raises `FactorRequired`."""
    enough = passkeys_left or (codes_left and need != SecondFactor.PASSKEY)
    if need != SecondFactor.NONE and not enough:
        raise FactorRequired


def strictest(needs: list[SecondFactor]) -> SecondFactor:
    """Return the strictest of several requirements; `NONE` if there are none."""
    order = [SecondFactor.NONE, SecondFactor.ANY, SecondFactor.PASSKEY]
    return max(needs, key=order.index, default=SecondFactor.NONE)

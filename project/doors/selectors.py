"""Queries of people's ways of signing in, and of the second factor that their roles require."""

from collections import Counter
from dataclasses import dataclass

from django.conf import settings

from project.core import sealing
from project.doors import rules
from project.doors.models import Authenticator, CompanyAccount, Passkey, RecoveryCode
from project.identity.models import Role, SecondFactor, User, UserType


@dataclass(frozen=True)
class Ways:
    """What a person signs in with beside their password, and what is required of them."""

    authenticator: Authenticator | None
    codes_left: int
    passkeys: list[Passkey]
    company: CompanyAccount | None
    need: SecondFactor


def ways_of(user: User) -> Ways:
    """Return what a person signs in with, and what is required of them. 5 queries."""
    return Ways(
        authenticator=Authenticator.objects.filter(user=user, confirmed_at__isnull=False).first(),
        codes_left=RecoveryCode.objects.filter(user=user, used_at=None).count(),
        passkeys=list(Passkey.objects.filter(user=user).order_by("pk")),
        company=CompanyAccount.objects.filter(user=user).order_by("-used_at").first(),
        need=need_of(user),
    )


def need_of(user: User) -> SecondFactor:
    """Return the second factor that a person's roles and the setting `SECOND_FACTOR` require of them. 1 query."""
    everybody = settings.SECOND_FACTOR == "all" or (
        settings.SECOND_FACTOR == "staff" and user.user_type == UserType.INTERNAL
    )
    of_roles = Role.objects.filter(users=user).values_list("second_factor", flat=True)
    needs = [SecondFactor(one) for one in of_roles] if user.user_type == UserType.INTERNAL else []
    need = rules.strictest([*needs, SecondFactor.ANY if everybody else SecondFactor.NONE])
    company = settings.COMPANY_ACCOUNTS
    # The provider answers for its own second factor, and staff may use no passkey here.
    return SecondFactor.ANY if company and company["only"] and need == SecondFactor.PASSKEY else need


def authenticators_by_key() -> dict[str, int]:
    """Count the confirmed authenticators by the id of the key that sealed their secret. 1 query."""
    sealed = Authenticator.objects.exclude(secret="").values_list("secret", flat=True)
    return Counter(one[: 2 * sealing.KEY_ID_BYTES] for one in sealed)

"""Tokens that were signed out, operators at stations, and sign-in attempts."""

from django.conf import settings
from django.db import models


class SignedOutToken(models.Model):
    """A token that was signed out before it expired."""

    jti = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.jti


class Operator(models.Model):
    """A person who named himself at a station, in the station's session: his token lets him act there as himself.

    Only a keyed hash of the token is kept. It ends with the station's session (`station_…`), and when his password or
    that of the station's account changes. `process_id` is the station's process, null until he acts somewhere.
    `used_at`: the last use that was received while the operator was present. `reported_at`: the latest movement that
    was reported later. `report_received_at`: when the first such report arrived.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token_version = models.PositiveIntegerField()
    station_user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    station_jti = models.CharField(max_length=64)
    station_token_version = models.PositiveIntegerField()
    station_expires_at = models.DateTimeField(db_index=True)
    process_id = models.BigIntegerField(null=True, blank=True)
    since = models.DateTimeField()
    used_at = models.DateTimeField()
    reported_at = models.DateTimeField(null=True, blank=True)
    report_received_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} at {self.station_user_id}"


class SignInAttempt(models.Model):
    """An attempt at what asks for a password, a code or a PIN: pending while it is checked, kept when it failed.

    Those of a known browser are counted apart, each browser's by itself: `account` names both then.
    """

    SIGN_IN = "sign-in"
    RECOVERY = "recovery"
    CHANGE_PASSWORD = "change-password"  # noqa: S105 - what it is for, no password
    PAIRING = "pairing"
    KNOWN_SIGN_IN = "known sign-in"
    KNOWN_RECOVERY = "known recovery"
    OPERATOR = "operator"
    BADGE = "badge"
    PIN_GIVEN = "pin given"

    purpose = models.CharField(max_length=20, db_default=SIGN_IN, default=SIGN_IN)
    account = models.CharField(max_length=254)
    address = models.CharField(max_length=64)
    at = models.DateTimeField(db_index=True)
    failed = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["account", "at"], name="attempt_by_account"),
            models.Index(fields=["address", "at"], name="attempt_by_address"),
        ]

    def __str__(self) -> str:
        return self.account

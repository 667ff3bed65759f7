"""Signed-out tokens, operators at stations, and sign-in attempts."""

from django.conf import settings
from django.db import models


class SignedOutToken(models.Model):
    """A token that was signed out before it expired."""

    jti = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.jti


class Operator(models.Model):
    """A person who identified themselves at a station, within the station's session.

    Their token lets them act at the station under their own name. Only a keyed hash of the token is stored. The token
    ends with the station's session (`station_…`), and when their password or the station account's password changes.
    `process_id`: the station's process, null until the operator acts at one. `used_at`: the last use received while the
    operator was present. `reported_at`: the latest movement that was reported later. `report_received_at`: when the
    first such report arrived.
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
    """An attempt to pass a check of a password, code or PIN: pending during the check, kept if it fails.

    Attempts from known browsers are counted separately for each browser: their `account` names the user and the
    browser.
    """

    SIGN_IN = "sign-in"
    RECOVERY = "recovery"
    CHANGE_PASSWORD = "change-password"  # noqa: S105 - a purpose, not a password
    PAIRING = "pairing"
    KNOWN_SIGN_IN = "known sign-in"
    KNOWN_RECOVERY = "known recovery"
    OPERATOR = "operator"
    BADGE = "badge"
    PIN_GIVEN = "pin given"
    PAGE = "page"
    SECOND_FACTOR = "second factor"
    PASSKEY = "passkey"
    COMPANY = "company"
    CALENDAR = "calendar"

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

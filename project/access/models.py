"""Tokens that were signed out, and sign-in attempts."""

from django.db import models


class SignedOutToken(models.Model):
    """A token that ended before its day did."""

    jti = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.jti


class SignInAttempt(models.Model):
    """An attempt at what asks for a password or a code: pending while it is being checked, kept when it failed.

    Those of a known browser are counted apart, each browser's by itself: `account` names both then.
    """

    SIGN_IN = "sign-in"
    RECOVERY = "recovery"
    CHANGE_PASSWORD = "change-password"  # noqa: S105 - what it is for, no password
    PAIRING = "pairing"
    KNOWN_SIGN_IN = "known sign-in"
    KNOWN_RECOVERY = "known recovery"

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

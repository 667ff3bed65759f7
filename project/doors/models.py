"""Authenticator apps and their recovery codes, passkeys, company accounts, and challenges that were answered."""

from typing import ClassVar

from django.conf import settings
from django.db import models

MOST_CREDENTIAL_ID = 1_364
"""The length in base64url of the longest id that WebAuthn allows: 1,023 bytes."""

MOST_SUBJECT = 255
"""The longest subject that OpenID Connect allows."""


class Authenticator(models.Model):
    """A person's authenticator app.

    `secret`: the sealed secret that the codes are made from; empty until a first code confirms it. `pending`: the
    sealed secret of an app that is being set up, beside the one that it replaces. `last_step`: the time step of the
    last accepted code; codes of this step and of earlier ones are refused.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="authenticator")
    secret = models.CharField(max_length=200, default="", blank=True)
    pending = models.CharField(max_length=200, default="", blank=True)
    last_step = models.BigIntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"authenticator of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that a person may give once if they lost their authenticator app. Only its hash is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "digest"], name="recovery_code_once"),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"


class Passkey(models.Model):
    """A passkey (WebAuthn credential). The private key never leaves the person's device or password manager.

    `credential_id`, `public_key` and `handle` are base64url. `handle`: the random id by which the device knows the
    account, the same for all passkeys of a person. `sign_count`: the device's counter at the last use, or 0.
    `synced`: whether a password manager copies it to other devices.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=100)
    credential_id = models.CharField(max_length=MOST_CREDENTIAL_ID, unique=True)
    public_key = models.TextField()
    handle = models.CharField(max_length=64)
    sign_count = models.BigIntegerField(default=0)
    synced = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class CompanyAccount(models.Model):
    """A person's account at the company's identity provider. `subject`: the provider's id of the account."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="company_accounts")
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=MOST_SUBJECT)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="company_account_once"),
            models.UniqueConstraint(fields=["issuer", "user"], name="company_account_one_per_person"),
        ]

    def __str__(self) -> str:
        return f"company account of {self.user_id}"


class AnsweredChallenge(models.Model):
    """A challenge that a passkey or the company's provider has answered. A second answer to it is refused."""

    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.digest

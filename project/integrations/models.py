"""Service accounts and the permissions that they were given."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from project.core.spanish import COLLATION
from project.core.versions import Versioned
from project.identity.models import User


class ServiceAccount(Versioned):
    """Another program. What it does is done in the name of `user`, with which nobody signs in.

    Of its token only the digest is kept, and only while it is good for something: none before the first one is made,
    none once the account is revoked.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="service_account")
    name = models.CharField(max_length=200, db_collation=COLLATION)
    active = models.BooleanField(default=True)
    token_digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_seen = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(Lower("name"), condition=Q(active=True), name="service_account_name_once"),
            models.CheckConstraint(
                condition=Q(active=True) | Q(token_digest__isnull=True), name="service_account_revoked_has_no_token"
            ),
            models.CheckConstraint(
                condition=Q(token_digest__isnull=True) | Q(expires_at__isnull=False), name="service_token_expires"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ServicePermission(models.Model):
    """One permission of a service account, by its action name."""

    account = models.ForeignKey(ServiceAccount, on_delete=models.CASCADE, related_name="permissions")
    action = models.CharField(max_length=60)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "action"], name="service_permission_once"),
        ]

    def __str__(self) -> str:
        return self.action

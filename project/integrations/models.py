"""Service accounts and their permissions; webhooks and their deliveries."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from project.core.spanish import COLLATION, NameKey
from project.core.versions import Versioned
from project.identity.models import User


class ServiceAccount(Versioned):
    """The account of another program. `user`: the author of its changes, which cannot sign in.

    `token_digest`: null before a token is made and after it is revoked. `token_by`: the id of the user who made it.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="service_account")
    name = models.CharField(max_length=200, db_collation=COLLATION)
    active = models.BooleanField(default=True)
    token_digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    token_by = models.BigIntegerField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_seen = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(NameKey("name"), condition=Q(active=True), name="service_account_name_once"),
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


class Webhook(Versioned):
    """An address that receives events of `types`, as far as `account` may read them.

    `url_by`: the id of the user who set the address. `position`: the id of the last event read from the outbox.
    `given_up`: the number of events that are never sent; the last ones were given up at `given_up_at`. `secret` and
    `former_secret` are sealed (`webhooks`); the former secret still signs until `former_until`. `held_until`: the end
    of the lease of the worker that sends. `failing_since`: since when nothing has arrived. `next_at`: the next attempt.
    """

    name = models.CharField(max_length=200, db_collation=COLLATION)
    url = models.CharField(max_length=2_000)
    url_by = models.BigIntegerField(null=True, blank=True)
    types = models.JSONField(default=list)
    account = models.ForeignKey(ServiceAccount, on_delete=models.PROTECT, related_name="webhooks")
    active = models.BooleanField(default=True)
    secret = models.CharField(max_length=400, default="", blank=True)
    former_secret = models.CharField(max_length=400, default="", blank=True)
    former_until = models.DateTimeField(null=True, blank=True)
    position = models.BigIntegerField(default=0)
    given_up = models.PositiveIntegerField(default=0, db_default=0)
    given_up_at = models.DateTimeField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    """When the webhook was made inactive because nothing arrived."""

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(NameKey("name"), name="webhook_name_once"),
            models.CheckConstraint(condition=Q(active=False) | Q(stopped_at__isnull=True), name="webhook_stopped"),
        ]

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(models.Model):
    """A message for a webhook. Messages are sent in the order of their ids.

    `payload`: the event with the fields that the account could read. Fields that the account may no longer read are
    removed when the message is sent. `audience`: the permissions that may read the event. A replay is a new row with
    the same `message_id`, so that receivers recognize it.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.CharField(max_length=64)
    type = models.CharField(max_length=40)
    audience = models.TextField()
    payload = models.TextField()
    replayed = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.TextField(default="", blank=True)
    failure = models.CharField(max_length=40, default="", db_default="", blank=True)
    """The `Failure` of `sending/loop.py` if no answer came, else empty."""

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["webhook", "message_id"], condition=Q(replayed=False), name="webhook_delivery_once"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["webhook", "id"], condition=Q(delivered_at__isnull=True), name="webhook_waiting"),
            models.Index(
                fields=["webhook", "delivered_at"], condition=Q(delivered_at__isnull=False), name="webhook_delivered"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.message_id}"

"""Service accounts with their permissions, and webhooks with their deliveries."""

from django.db import migrations, models
from django.db.models import Q

from project.core.spanish import NameKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [("core", "0001_collation"), ("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="ServiceAccount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("active", models.BooleanField(default=True)),
                ("token_digest", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("token_by", models.BigIntegerField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_seen", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.OneToOneField(on_delete=models.CASCADE, related_name="service_account", to="identity.user"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        NameKey("name"), condition=Q(("active", True)), name="service_account_name_once"
                    ),
                    models.CheckConstraint(
                        condition=Q(("active", True), ("token_digest__isnull", True), _connector="OR"),
                        name="service_account_revoked_has_no_token",
                    ),
                    models.CheckConstraint(
                        condition=Q(("token_digest__isnull", True), ("expires_at__isnull", False), _connector="OR"),
                        name="service_token_expires",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="ServicePermission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("action", models.CharField(max_length=60)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="permissions", to="integrations.serviceaccount"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "action"), name="service_permission_once")]
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("url", models.CharField(max_length=2000)),
                ("url_by", models.BigIntegerField(blank=True, null=True)),
                ("types", models.JSONField(default=list)),
                ("active", models.BooleanField(default=True)),
                ("secret", models.CharField(blank=True, default="", max_length=400)),
                ("former_secret", models.CharField(blank=True, default="", max_length=400)),
                ("former_until", models.DateTimeField(blank=True, null=True)),
                ("position", models.BigIntegerField(default=0)),
                ("given_up", models.PositiveIntegerField(db_default=0, default=0)),
                ("given_up_at", models.DateTimeField(blank=True, null=True)),
                ("held_until", models.DateTimeField(blank=True, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("next_at", models.DateTimeField(blank=True, null=True)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="webhooks", to="integrations.serviceaccount"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(NameKey("name"), name="webhook_name_once"),
                    models.CheckConstraint(
                        condition=Q(("active", False), ("stopped_at__isnull", True), _connector="OR"),
                        name="webhook_stopped",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.CharField(max_length=64)),
                ("type", models.CharField(max_length=40)),
                ("audience", models.TextField()),
                ("payload", models.TextField()),
                ("replayed", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("answer", models.TextField(blank=True, default="")),
                ("failure", models.CharField(blank=True, db_default="", default="", max_length=40)),
                (
                    "webhook",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="deliveries", to="integrations.webhook"),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(("delivered_at__isnull", True)), fields=["webhook", "id"], name="webhook_waiting"
                    ),
                    models.Index(
                        condition=Q(("delivered_at__isnull", False)),
                        fields=["webhook", "delivered_at"],
                        name="webhook_delivered",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(("replayed", False)), fields=("webhook", "message_id"), name="webhook_delivery_once"
                    )
                ],
            },
        ),
    ]

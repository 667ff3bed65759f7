"""Screens on walls, their lanes and their pairings."""

from django.db import migrations, models
from django.db.models import Q

from project.core.spanish import NameKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [("catalogs", "0001_initial"), ("core", "0001_collation")]

    operations = [
        migrations.CreateModel(
            name="Display",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("active", models.BooleanField(default=True)),
                ("token_digest", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("last_seen", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(NameKey("name"), condition=Q(("active", True)), name="display_name_once"),
                    models.CheckConstraint(
                        condition=Q(("active", True), ("token_digest__isnull", True), _connector="OR"),
                        name="display_revoked_has_no_token",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="DisplayLane",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("display", models.ForeignKey(on_delete=models.CASCADE, related_name="lanes", to="displays.display")),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="displays", to="catalogs.productionprocess"
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("display", "process"), name="display_lane_once")]},
        ),
        migrations.CreateModel(
            name="Pairing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret_digest", models.CharField(max_length=64, unique=True)),
                ("code_digest", models.CharField(max_length=64, unique=True)),
                ("address", models.CharField(max_length=64)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "display",
                    models.OneToOneField(
                        blank=True, null=True, on_delete=models.CASCADE, related_name="pairing", to="displays.display"
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["address", "expires_at"], name="pairing_by_address")]},
        ),
    ]

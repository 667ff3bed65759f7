"""Imports, their files and their rows."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    initial = True

    dependencies = [("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("catalog", models.CharField(max_length=40)),
                ("file_name", models.CharField(blank=True, default="", max_length=200)),
                ("state", models.CharField(default="reading", max_length=10)),
                ("rows_total", models.PositiveIntegerField(null=True)),
                ("rows_done", models.PositiveIntegerField(default=0)),
                ("new", models.PositiveIntegerField(default=0)),
                ("changed", models.PositiveIntegerField(default=0)),
                ("unchanged", models.PositiveIntegerField(default=0)),
                ("refused", models.PositiveIntegerField(default=0)),
                ("doubtful", models.PositiveIntegerField(db_default=0, default=0)),
                ("encoding", models.CharField(blank=True, db_default="", default="", max_length=20)),
                ("sheet", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("sheets", models.JSONField(db_default=[], default=list)),
                ("doubts", models.JSONField(db_default=[], default=list)),
                ("choices", models.JSONField(db_default={}, default=dict)),
                ("heads", models.JSONField(db_default=[], default=list)),
                ("error_code", models.CharField(blank=True, default="", max_length=40)),
                ("error_params", models.JSONField(default=dict)),
                ("runner", models.CharField(blank=True, default="", max_length=40)),
                ("held_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="identity.user")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("state__in", ["reading", "ready", "applying", "applied", "failed"])),
                        name="import_state_known",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="ImportFile",
            fields=[
                (
                    "upload",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="file",
                        serialize=False,
                        to="importing.import",
                    ),
                ),
                ("raw", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="ImportRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("outcome", models.CharField(max_length=10)),
                ("key", models.CharField(blank=True, default="", max_length=200)),
                ("label", models.CharField(blank=True, default="", max_length=200)),
                ("cells", models.JSONField(default=dict)),
                ("mended", models.JSONField(db_default={}, default=dict)),
                ("marks", models.JSONField(db_default=[], default=list)),
                ("record_id", models.BigIntegerField(null=True)),
                ("version", models.PositiveIntegerField(null=True)),
                ("changes", models.JSONField(default=list)),
                ("errors", models.JSONField(default=list)),
                ("upload", models.ForeignKey(on_delete=models.CASCADE, related_name="rows", to="importing.import")),
            ],
            options={
                "indexes": [models.Index(fields=["upload", "outcome", "number", "id"], name="import_rows_by_outcome")],
                "constraints": [models.UniqueConstraint(fields=("upload", "number"), name="import_row_once")],
            },
        ),
    ]

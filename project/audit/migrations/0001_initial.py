"""The audit, and the exemption that lets one transaction change it. The database refuses all other changes.

A transaction that inserted an `Exemption` may erase names from audit rows, or delete old rows. Even then the database
refuses to change who did what to which record, and when.
"""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import WrittenOnce


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("user_id", models.BigIntegerField(null=True)),
                ("user_name", models.CharField(blank=True, default="", max_length=700)),
                ("address", models.CharField(blank=True, default="", max_length=64)),
                ("entity", models.CharField(max_length=40)),
                ("entity_id", models.BigIntegerField()),
                ("label", models.CharField(blank=True, default="", max_length=400)),
                ("action", models.CharField(max_length=40)),
                ("changes", models.JSONField(default=dict)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["entity", "entity_id", "-id"], name="audit_by_record"),
                    models.Index(fields=["user_id", "-id"], name="audit_by_person"),
                    models.Index(fields=["at", "id"], name="audit_by_time"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Exemption",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("erases", models.BooleanField(default=False)),
                ("forgets_before", models.DateTimeField(blank=True, null=True)),
            ],
            options={"constraints": [models.CheckConstraint(condition=Q(("id", 1)), name="audit_has_one_exemption")]},
        ),
        WrittenOnce(
            "AuditEntry",
            refuses="an audit entry is never changed or deleted",
            erasable=("user_name", "address", "label", "changes"),
            deletable="EXISTS (SELECT 1 FROM audit_exemption WHERE forgets_before > OLD.at)",
        ),
    ]

"""Announcements, and read marks that hang on them; a mark there is keeps what it says."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("SalesOrderWithoutOutputProcess", "SalesOrderWithoutOutputProcess"),
    ("SalesOrderDeliveryDateExpiring", "SalesOrderDeliveryDateExpiring"),
]


def announce_what_was_read(apps, schema_editor):
    """Each mark's cause becomes an announcement; a cause that is gone takes its marks along."""
    old, new, announcement = (apps.get_model("notifications", name) for name in ("OldMark", "ReadMark", "Announcement"))
    record, line = apps.get_model("orders", "ProcessRecord"), apps.get_model("orders", "Line")
    told = {}
    for mark in old.objects.order_by("read_at", "id").iterator():
        cause = (mark.kind, mark.cause_id)
        if cause not in told:
            of_record = mark.kind == "SalesOrderWithoutOutputProcess"
            rows = record.objects.values_list("line__order_id") if of_record else line.objects.values_list("order_id")
            found = rows.filter(pk=mark.cause_id).first()
            told[cause] = found and announcement.objects.create(
                kind=mark.kind, cause_id=mark.cause_id, order_id=found[0], announced_at=mark.read_at
            )
        if told[cause]:
            new.objects.create(user=mark.user_id, announcement=told[cause], read_at=mark.read_at)


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_initial"), ("orders", "0002_lines_by_due")]

    operations = [
        migrations.RemoveConstraint("ReadMark", "notification_read_once"),
        migrations.RenameModel("ReadMark", "OldMark"),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=40)),
                ("cause_id", models.BigIntegerField()),
                ("order_id", models.BigIntegerField(db_index=True)),
                ("announced_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["kind", "cause_id"], name="announcement_once")],
            },
        ),
        migrations.CreateModel(
            name="ReadMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("user", models.BigIntegerField()),
                ("read_at", models.DateTimeField()),
                (
                    "announcement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DB_CASCADE,
                        related_name="marks",
                        to="notifications.announcement",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["user", "announcement"], name="notification_read_once")
                ],
            },
        ),
        migrations.RunPython(announce_what_was_read, migrations.RunPython.noop),
    ]

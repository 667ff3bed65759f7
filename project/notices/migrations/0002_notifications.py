"""The tables of notifications: what was announced, and what each person has read.

They keep the names that they had in the app `notifications`. A database that has its migration has them already, so
Django takes this one for applied there.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_initial")]
    replaces = [("notifications", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=40)),
                ("cause_id", models.BigIntegerField()),
                ("order_id", models.BigIntegerField(db_index=True)),
                ("announced_at", models.DateTimeField()),
            ],
            options={
                "db_table": "notifications_announcement",
                "constraints": [models.UniqueConstraint(fields=("kind", "cause_id"), name="announcement_once")],
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
                    models.ForeignKey(on_delete=models.DB_CASCADE, related_name="marks", to="notices.announcement"),
                ),
            ],
            options={
                "db_table": "notifications_readmark",
                "constraints": [
                    models.UniqueConstraint(fields=("user", "announcement"), name="notification_read_once")
                ],
            },
        ),
    ]

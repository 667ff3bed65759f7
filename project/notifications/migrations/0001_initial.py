"""What the bell announced, and what each person has read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

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
            options={"constraints": [models.UniqueConstraint(fields=("kind", "cause_id"), name="announcement_once")]},
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
                        on_delete=models.DB_CASCADE, related_name="marks", to="notifications.announcement"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "announcement"), name="notification_read_once")]
            },
        ),
    ]

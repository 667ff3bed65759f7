"""Adds the number of given-up events, and removes the epoch, because event ids continue over all epochs."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("integrations", "0003_webhook_delivered")]

    operations = [
        migrations.AddField("webhook", "given_up", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField("webhook", "given_up_at", models.DateTimeField(blank=True, null=True)),
        migrations.AlterField(
            "webhook", "epoch", models.CharField(blank=True, db_default="", default="", max_length=32)
        ),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("webhook", "epoch")]),
    ]

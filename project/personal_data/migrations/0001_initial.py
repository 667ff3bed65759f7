"""Erasures that are repeated a few minutes later."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("user_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("names", models.TextField()),
                ("at", models.DateTimeField()),
            ],
        )
    ]

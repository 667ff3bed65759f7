"""The fingerprints of secrets, and when each was first seen."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="KnownKey",
            fields=[
                ("fingerprint", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("since", models.DateTimeField()),
            ],
        )
    ]

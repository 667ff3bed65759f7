"""The leases of the worker's tasks."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Lease",
            fields=[
                ("task", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("holder", models.CharField(blank=True, default="", max_length=40)),
                ("until", models.DateTimeField()),
                ("done_at", models.DateTimeField(blank=True, null=True)),
            ],
        )
    ]

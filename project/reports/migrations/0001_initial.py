"""The stored flow of past days."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("catalogs", "0001_initial")]

    operations = [
        migrations.CreateModel(name="KeptDay", fields=[("day", models.DateField(primary_key=True, serialize=False))]),
        migrations.CreateModel(
            name="KeptFlow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pieces", models.PositiveBigIntegerField()),
                ("inside", models.BinaryField()),
                ("waited", models.BinaryField()),
                ("day", models.ForeignKey(on_delete=models.CASCADE, related_name="flows", to="reports.keptday")),
                (
                    "process",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="catalogs.productionprocess"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("day", "process"), name="kept_flow_once_a_day_and_process")
                ]
            },
        ),
    ]

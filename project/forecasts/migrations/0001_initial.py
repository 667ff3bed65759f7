"""The first forecast of each line on each day."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    initial = True

    dependencies = [("orders", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="KeptForecast",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("made_at", models.DateTimeField()),
                ("p50", models.DateField()),
                ("p80", models.DateField()),
                ("p90", models.DateField()),
                ("due", models.DateField(blank=True, null=True)),
                ("on_time", models.FloatField(blank=True, null=True)),
                ("basis", models.PositiveIntegerField()),
                (
                    "line",
                    models.ForeignKey(
                        db_constraint=False, on_delete=models.CASCADE, related_name="kept_forecasts", to="orders.line"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("line", "day"), name="kept_forecast_once_a_line_and_day"),
                    models.CheckConstraint(
                        condition=Q(("p80__gte", F("p50")), ("p90__gte", F("p80"))), name="kept_forecast_days_in_order"
                    ),
                ]
            },
        )
    ]

"""Add when a line became Done, the day that was offered, and the forecast of a line."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("orders", "0016_earnings_by_gram")]

    operations = [
        migrations.AddField("line", "done_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("line", "offered_date", models.DateField(blank=True, null=True)),
        migrations.CreateModel(
            name="Forecast",
            fields=[
                (
                    "line",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="forecast",
                        serialize=False,
                        to="orders.line",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("p50", models.DateField(blank=True, null=True)),
                ("p80", models.DateField(blank=True, null=True)),
                ("p90", models.DateField(blank=True, null=True)),
                ("due", models.DateField(blank=True, null=True)),
                ("on_time", models.FloatField(blank=True, null=True)),
                ("late_percent", models.SmallIntegerField(default=-1)),
                ("basis", models.PositiveIntegerField(default=0)),
                ("why", models.CharField(blank=True, default="", max_length=20)),
                ("doubtful_since", models.DateTimeField(blank=True, null=True)),
                ("likely_late", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            why="",
                            p50__isnull=False,
                            p80__isnull=False,
                            p90__isnull=False,
                            p80__gte=F("p50"),
                            p90__gte=F("p80"),
                        )
                        | (~Q(why="") & Q(p50__isnull=True, p80__isnull=True, p90__isnull=True, likely_late=False)),
                        name="forecast_has_its_days_or_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=Q(on_time__isnull=True) | Q(on_time__gte=0, on_time__lte=1, due__isnull=False),
                        name="forecast_chance_is_one_of_a_day",
                    ),
                ],
                "indexes": [
                    models.Index(condition=Q(likely_late=True), fields=["line"], name="forecast_likely_late"),
                ],
            },
        ),
    ]

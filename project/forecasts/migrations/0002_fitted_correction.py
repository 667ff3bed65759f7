"""How forecasts are corrected by how earlier ones came out."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("forecasts", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="FittedCorrection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                ("made_at", models.DateTimeField()),
                ("coefficients", models.JSONField()),
                ("means", models.JSONField()),
                ("spreads", models.JSONField()),
                ("level", models.FloatField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("level__gt", 0.5), ("level__lte", 0.9)), name="correction_level_is_between"
                    )
                ]
            },
        )
    ]

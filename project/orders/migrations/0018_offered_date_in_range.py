"""Keep the day that was offered within the days that the product accepts."""

from datetime import date

from django.db import migrations, models

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    dependencies = [("orders", "0017_done_at_and_forecasts")]

    operations = [
        AddCheckNotValid(
            model_name="line",
            constraint=models.CheckConstraint(
                condition=models.Q(offered_date__isnull=True)
                | models.Q(offered_date__range=(date(1900, 1, 1), date(2200, 12, 31))),
                name="line_offered_date_in_range",
            ),
        ),
    ]

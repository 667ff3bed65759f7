"""Validate the check of the offered day for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("orders", "0018_offered_date_in_range")]

    operations = [ValidateConstraint(model_name="line", name="line_offered_date_in_range")]

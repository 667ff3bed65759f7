"""Validate the check of totals for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("billing", "0006_total_in_minor_units")]

    operations = [ValidateConstraint(model_name="bill", name="bill_total_is_its_sum")]

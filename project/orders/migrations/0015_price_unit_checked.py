"""Validates the check of paid grams for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("orders", "0014_price_unit")]

    operations = [ValidateConstraint(model_name="processrecord", name="record_grams_paid_fit_the_weight")]

"""Validate the check of weights for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("orders", "0012_weights_of_an_alloy")]

    operations = [ValidateConstraint(model_name="processrecord", name="record_weights_are_of_an_alloy")]

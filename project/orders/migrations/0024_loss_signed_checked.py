"""Validate the check of signatures for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("orders", "0023_loss_signed_by_a_person")]

    operations = [ValidateConstraint(model_name="processrecord", name="record_loss_is_signed_by_a_person")]

"""Validates the check of paid grams for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("piecework", "0005_paid_by_gram")]

    operations = [ValidateConstraint(model_name="paymentitem", name="payment_item_grams_not_negative")]

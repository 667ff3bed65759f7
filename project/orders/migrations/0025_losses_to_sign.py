"""Find losses that wait for a signature, and those that a person has signed, by indexes of them alone."""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0024_loss_signed_checked")]

    operations = [
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(fields=["line"], condition=Q(loss_to_sign=True), name="record_loss_to_sign"),
        ),
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                fields=["loss_signed_by"], condition=Q(loss_signed_by__isnull=False), name="record_loss_signed"
            ),
        ),
    ]

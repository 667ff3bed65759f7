"""Check that a signature has its person and its time, and that nothing is left to sign. Checks new writes only."""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    dependencies = [("orders", "0022_loss_signed")]

    operations = [
        AddCheckNotValid(
            "processrecord",
            models.CheckConstraint(
                condition=Q(loss_signed_at__isnull=True, loss_signed_by__isnull=True)
                | Q(loss_signed_at__isnull=False, loss_signed_by__isnull=False, loss_to_sign=False),
                name="record_loss_is_signed_by_a_person",
            ),
        )
    ]

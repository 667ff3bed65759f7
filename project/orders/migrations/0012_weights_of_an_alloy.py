"""Check that a record with weights has their alloy, and that none is below zero. Checks new writes only."""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    dependencies = [("orders", "0011_weights")]

    operations = [
        AddCheckNotValid(
            "processrecord",
            models.CheckConstraint(
                condition=(Q(alloy__isnull=False) | Q(mg_in__isnull=True, mg_out__isnull=True, mg_scrap__isnull=True))
                & Q(mg_in__gte=0, mg_out__gte=0, mg_other__gte=0, mg_scrap__gte=0, mg_added__gte=0),
                name="record_weights_are_of_an_alloy",
            ),
        )
    ]

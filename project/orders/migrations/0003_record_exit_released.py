from django.db import migrations, models
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("orders", "0002_record_released"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                Cast(KT("released_exits__-1__releasedDate"), models.TextField()),
                condition=models.Q(("released_exits", []), _negated=True),
                name="record_exit_released",
            ),
        ),
    ]

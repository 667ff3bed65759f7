from django.db import migrations, models

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("orders", "0001_initial"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                condition=models.Q(("released_at__isnull", False), ("undone", False)),
                fields=["released_at"],
                name="record_released",
            ),
        ),
    ]

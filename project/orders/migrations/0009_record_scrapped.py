from django.db import migrations, models

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("orders", "0008_scrap_checked"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="processrecord",
            index=models.Index(
                condition=models.Q(("scrap_reason__isnull", False)),
                fields=["output_at", "scrap_reason"],
                name="record_scrapped",
            ),
        ),
    ]

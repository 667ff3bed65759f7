"""Find the newest finished lines by an index of them alone."""

from django.db import migrations, models

from project.core.operations import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("orders", "0020_done_at_filled")]

    operations = [
        AddIndexConcurrently(
            model_name="line",
            index=models.Index(
                condition=models.Q(done_at__isnull=False), fields=["-done_at"], name="line_by_done"
            ),
        ),
    ]

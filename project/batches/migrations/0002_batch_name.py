"""The name of a batch."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("batches", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="name",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        )
    ]

"""Adds to a scrap reason whether the work of the process that lost the pieces is paid."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0005_processes_have_an_english_name"),
    ]

    operations = [
        migrations.AddField(
            model_name="scrapreason",
            name="payable",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]

"""Adds the name by which customers who read English know a process."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0004_decimals_of_currencies"),
    ]

    operations = [
        migrations.AddField(
            model_name="productionprocess",
            name="name_english",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
    ]

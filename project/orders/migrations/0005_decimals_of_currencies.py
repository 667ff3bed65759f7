"""Store prices with seven decimals."""

from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {"changing-column-type": "a workshop has thousands of these rows: rewriting them takes less than a second"}

    dependencies = [
        ("orders", "0004_names_as_read"),
    ]

    operations = [
        migrations.AlterField(
            model_name="processrecord",
            name="price",
            field=models.DecimalField(blank=True, decimal_places=7, max_digits=17, null=True),
        ),
    ]

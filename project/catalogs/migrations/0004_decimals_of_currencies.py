"""Widens prices to seven decimals."""

from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {"changing-column-type": "a workshop has thousands of these rows: rewriting them takes less than a second"}

    dependencies = [
        ("catalogs", "0003_names_as_read"),
    ]

    operations = [
        migrations.AlterField(
            model_name="item",
            name="sell_price",
            field=models.DecimalField(decimal_places=7, default=0, max_digits=17),
        ),
        migrations.AlterField(
            model_name="processprice",
            name="price",
            field=models.DecimalField(decimal_places=7, max_digits=17),
        ),
        migrations.AlterField(
            model_name="productionprocess",
            name="price",
            field=models.DecimalField(decimal_places=7, default=0, max_digits=17),
        ),
    ]

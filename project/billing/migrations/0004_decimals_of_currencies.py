"""Store amounts with three decimals, and prices with seven."""

from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {
        "changing-column-type": "a workshop has thousands of these rows: rewriting them takes less than a second",
        "ban-drop-constraint": "another check takes its place",
    }

    dependencies = [
        ("billing", "0003_issued_copied"),
        ("catalogs", "0004_decimals_of_currencies"),
        ("identity", "0003_erased_opens_nothing"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="bill",
            name="bill_total_is_its_sum",
        ),
        migrations.AlterField(
            model_name="bill",
            name="shipping_price",
            field=models.DecimalField(decimal_places=3, default=0, max_digits=19),
        ),
        migrations.AlterField(
            model_name="bill",
            name="subtotal",
            field=models.DecimalField(decimal_places=3, max_digits=19),
        ),
        migrations.AlterField(
            model_name="bill",
            name="tax",
            field=models.DecimalField(decimal_places=3, max_digits=19),
        ),
        migrations.AlterField(
            model_name="bill",
            name="total",
            field=models.DecimalField(decimal_places=3, max_digits=19),
        ),
        migrations.AlterField(
            model_name="billline",
            name="amount",
            field=models.DecimalField(decimal_places=3, max_digits=19),
        ),
        migrations.AlterField(
            model_name="billline",
            name="price",
            field=models.DecimalField(decimal_places=7, max_digits=17),
        ),
        migrations.AlterField(
            model_name="billline",
            name="tax",
            field=models.DecimalField(decimal_places=3, max_digits=19),
        ),
    ]

"""Store amounts with three decimals, and prices with seven."""

from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {"changing-column-type": "a workshop has thousands of these rows: rewriting them takes less than a second"}

    dependencies = [
        ("piecework", "0003_issued_copied"),
    ]

    operations = [
        migrations.AlterField(
            model_name="payment",
            name="total",
            field=models.DecimalField(decimal_places=3, max_digits=18),
        ),
        migrations.AlterField(
            model_name="paymentitem",
            name="amount",
            field=models.DecimalField(decimal_places=3, max_digits=18),
        ),
        migrations.AlterField(
            model_name="paymentitem",
            name="price",
            field=models.DecimalField(decimal_places=7, max_digits=17),
        ),
    ]

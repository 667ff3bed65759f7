"""A link whose order is deleted stays, revoked, so that its address says that it is over. Changes no table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("customer_links", "0002_approvals_and_replies"),
        ("orders", "0002_trays_and_solder"),
    ]

    operations = [
        migrations.AlterField(
            model_name="customerlink",
            name="order",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="links",
                to="orders.salesorder",
            ),
        ),
    ]

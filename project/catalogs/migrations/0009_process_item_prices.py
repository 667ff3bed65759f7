"""Adds piece prices by process and product."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0008_first_alloys"),
    ]

    operations = [
        migrations.CreateModel(
            name="ProcessItemPrice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "unit",
                    models.CharField(choices=[("piece", "piece"), ("gram", "gram")], default="piece", max_length=5),
                ),
                ("price", models.DecimalField(blank=True, decimal_places=7, max_digits=17, null=True)),
                ("since", models.DateTimeField()),
                ("user_id", models.BigIntegerField(null=True)),
                ("user_name", models.CharField(blank=True, default="", max_length=700)),
                (
                    "item",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="piece_prices",
                        to="catalogs.item",
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="item_prices",
                        to="catalogs.productionprocess",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("process", "item", "since"), name="process_item_price_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("item__isnull", True)),
                        fields=("process", "since"),
                        name="process_item_price_of_all_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("price__isnull", True), ("price__gte", 0), _connector="OR"),
                        name="process_item_price_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("unit__in", ["piece", "gram"])), name="process_item_price_has_a_unit"
                    ),
                ],
            },
        ),
    ]

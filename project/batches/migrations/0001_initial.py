"""Makes batches and their lines."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def _not_negative(name):
    return models.CheckConstraint(
        condition=models.Q((f"{name}_mg__isnull", True), (f"{name}_mg__gte", 0), _connector="OR"),
        name=f"batch_{name}_not_negative",
    )


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("catalogs", "0008_first_alloys"),
        ("orders", "0005_decimals_of_currencies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Batch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("number", models.PositiveIntegerField(unique=True)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("wax_mg", models.BigIntegerField(blank=True, null=True)),
                ("button_mg", models.BigIntegerField(blank=True, null=True)),
                ("issued_mg", models.BigIntegerField(blank=True, null=True)),
                ("added_mg", models.BigIntegerField(blank=True, null=True)),
                ("good_mg", models.BigIntegerField(blank=True, null=True)),
                ("scrap_mg", models.BigIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField()),
                ("entered_at", models.DateTimeField(blank=True, null=True)),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "alloy",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="catalogs.alloy",
                    ),
                ),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches_closed",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches_made",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="catalogs.productionprocess",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=["process", "id"],
                        name="batch_not_closed",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="batch_number_from_1"),
                    *map(_not_negative, ("wax", "button", "issued", "added", "good", "scrap")),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("left_at__isnull", True),
                            models.Q(("entered_at__isnull", False), ("left_at__gte", models.F("entered_at"))),
                            _connector="OR",
                        ),
                        name="batch_leaves_after_it_entered",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                            models.Q(("closed_at__isnull", False), ("closed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="batch_closed_has_a_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("closed_at__isnull", True),
                            ("entered_at__isnull", True),
                            ("left_at__isnull", False),
                            _connector="OR",
                        ),
                        name="batch_closed_has_nothing_inside",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BatchLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("quantity", models.PositiveIntegerField()),
                ("place", models.PositiveIntegerField()),
                ("issued_mg", models.BigIntegerField(blank=True, null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="batches.batch",
                    ),
                ),
                (
                    "line",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="batch_lines", to="orders.line"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("batch", "line"), name="batch_line_once"),
                    models.CheckConstraint(condition=models.Q(("quantity__gte", 1)), name="batch_line_quantity_positive"),
                ],
            },
        ),
    ]

"""Batches and the lines that go through a process together."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    initial = True

    dependencies = [("catalogs", "0001_initial"), ("identity", "0001_initial"), ("orders", "0001_initial")]

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
                        blank=True, null=True, on_delete=models.PROTECT, related_name="batches", to="catalogs.alloy"
                    ),
                ),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="batches_closed",
                        to="identity.user",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="batches_made", to="identity.user"),
                ),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="batches", to="catalogs.productionprocess"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(("closed_at__isnull", True)), fields=["process", "id"], name="batch_not_closed"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(("number__gte", 1)), name="batch_number_from_1"),
                    models.CheckConstraint(
                        condition=Q(("wax_mg__isnull", True), ("wax_mg__gte", 0), _connector="OR"),
                        name="batch_wax_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(("button_mg__isnull", True), ("button_mg__gte", 0), _connector="OR"),
                        name="batch_button_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(("issued_mg__isnull", True), ("issued_mg__gte", 0), _connector="OR"),
                        name="batch_issued_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(("added_mg__isnull", True), ("added_mg__gte", 0), _connector="OR"),
                        name="batch_added_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(("good_mg__isnull", True), ("good_mg__gte", 0), _connector="OR"),
                        name="batch_good_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(("scrap_mg__isnull", True), ("scrap_mg__gte", 0), _connector="OR"),
                        name="batch_scrap_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("left_at__isnull", True),
                            Q(("entered_at__isnull", False), ("left_at__gte", F("entered_at"))),
                            _connector="OR",
                        ),
                        name="batch_leaves_after_it_entered",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                            Q(("closed_at__isnull", False), ("closed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="batch_closed_has_a_person",
                    ),
                    models.CheckConstraint(
                        condition=Q(
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
                        db_index=False, on_delete=models.CASCADE, related_name="lines", to="batches.batch"
                    ),
                ),
                ("line", models.ForeignKey(on_delete=models.CASCADE, related_name="batch_lines", to="orders.line")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("batch", "line"), name="batch_line_once"),
                    models.CheckConstraint(condition=Q(("quantity__gte", 1)), name="batch_line_quantity_positive"),
                ]
            },
        ),
    ]

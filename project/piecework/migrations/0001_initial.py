"""Payments of piecework and their items."""

import datetime

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    initial = True

    dependencies = [("identity", "0001_initial"), ("orders", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "status",
                    models.CharField(
                        choices=[("Paid", "Paid"), ("Canceled", "Canceled")], default="Paid", max_length=10
                    ),
                ),
                ("date", models.DateField()),
                ("payee_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("total", models.DecimalField(decimal_places=3, max_digits=18)),
                ("created_by_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                ("created_at", models.DateTimeField()),
                ("cancel_notes", models.CharField(blank=True, default="", max_length=200)),
                ("canceled_by_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                ("canceled_at", models.DateTimeField(blank=True, null=True)),
                ("issued", models.JSONField(null=True)),
                ("logo", models.CharField(blank=True, db_default="", default="", max_length=200)),
                (
                    "canceled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="canceled_payments",
                        to="identity.user",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="made_payments", to="identity.user"),
                ),
                (
                    "payee",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="payments", to="identity.user"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["date", "id"], name="payment_by_date"),
                    models.Index(fields=["payee", "date", "id"], name="payment_by_payee"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            ("date__isnull", True),
                            ("date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                            _connector="OR",
                        ),
                        name="payment_date_in_range",
                    ),
                    models.CheckConstraint(condition=Q(("total__gte", 0)), name="payment_total_not_negative"),
                    models.CheckConstraint(
                        condition=Q(
                            Q(
                                ("cancel_notes", ""),
                                ("canceled_at__isnull", True),
                                ("canceled_by__isnull", True),
                                ("status", "Paid"),
                            ),
                            Q(
                                Q(
                                    ("canceled_at__isnull", False),
                                    ("canceled_by__isnull", False),
                                    ("status", "Canceled"),
                                ),
                                Q(("cancel_notes", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="payment_canceled_by_somebody_for_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PaymentItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("earner_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                ("quantity", models.PositiveIntegerField()),
                ("price", models.DecimalField(decimal_places=7, max_digits=17)),
                ("mg", models.BigIntegerField(blank=True, null=True)),
                ("amount", models.DecimalField(decimal_places=3, max_digits=18)),
                ("customer_sales_order_id", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("issued", models.JSONField(null=True)),
                (
                    "earner",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="earned_items", to="identity.user"
                    ),
                ),
                ("payment", models.ForeignKey(on_delete=models.CASCADE, related_name="items", to="piecework.payment")),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="payment_items", to="orders.processrecord"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["earner", "payment", "amount"], name="payment_item_by_earner")],
                "constraints": [
                    models.UniqueConstraint(fields=("payment", "record"), name="payment_item_record_once"),
                    models.CheckConstraint(condition=Q(("quantity__gte", 1)), name="payment_item_quantity_positive"),
                    models.CheckConstraint(condition=Q(("price__gte", 0)), name="payment_item_price_not_negative"),
                    models.CheckConstraint(condition=Q(("amount__gte", 0)), name="payment_item_amount_not_negative"),
                    models.CheckConstraint(
                        condition=Q(("mg__isnull", True), ("mg__gte", 0), _connector="OR"),
                        name="payment_item_grams_not_negative",
                    ),
                ],
            },
        ),
    ]

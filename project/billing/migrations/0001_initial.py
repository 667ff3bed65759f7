"""Bills and their lines."""

import datetime

from django.db import migrations, models
from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Length, Round
from django.db.models.lookups import Exact


class Migration(migrations.Migration):
    initial = True

    dependencies = [("catalogs", "0001_initial"), ("identity", "0001_initial"), ("orders", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Bill",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("number", models.PositiveIntegerField(blank=True, null=True)),
                ("pre_bill_number", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("PreBill", "PreBill"), ("Billed", "Billed"), ("Canceled", "Canceled")], max_length=20
                    ),
                ),
                ("date", models.DateField()),
                ("invoice_number", models.CharField(blank=True, default="", max_length=60)),
                ("guide_number", models.CharField(blank=True, default="", max_length=60)),
                ("shipping_price", models.DecimalField(decimal_places=3, default=0, max_digits=19)),
                ("custom_regime", models.CharField(blank=True, default="", max_length=10)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("currency", models.CharField(max_length=3)),
                ("export", models.JSONField(blank=True, null=True)),
                ("subtotal", models.DecimalField(decimal_places=3, max_digits=19)),
                ("tax", models.DecimalField(decimal_places=3, max_digits=19)),
                ("total", models.DecimalField(decimal_places=3, max_digits=19)),
                ("issued", models.JSONField(blank=True, null=True)),
                ("logo", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("created_at", models.DateTimeField()),
                ("created_by_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                ("billed_at", models.DateTimeField(blank=True, null=True)),
                ("billed_by_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                ("canceled_at", models.DateTimeField(blank=True, null=True)),
                ("canceled_by_name", models.CharField(blank=True, db_default="", default="", max_length=700)),
                (
                    "billed_by",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="bills_billed", to="identity.user"
                    ),
                ),
                (
                    "canceled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="bills_canceled",
                        to="identity.user",
                    ),
                ),
                ("company", models.ForeignKey(on_delete=models.PROTECT, related_name="bills", to="catalogs.company")),
                (
                    "created_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="bills_made", to="identity.user"),
                ),
                ("customer", models.ForeignKey(on_delete=models.PROTECT, related_name="bills", to="catalogs.customer")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["date", "id"], name="bill_by_date"),
                    models.Index(fields=["status", "id"], name="bill_by_status"),
                    models.Index(fields=["customer", "id"], name="bill_by_customer"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            ("date__isnull", True),
                            ("date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                            _connector="OR",
                        ),
                        name="bill_date_in_range",
                    ),
                    models.UniqueConstraint(fields=("company", "number"), name="bill_number_once_per_company"),
                    models.UniqueConstraint(
                        fields=("company", "pre_bill_number"), name="bill_pre_bill_number_once_per_company"
                    ),
                    models.CheckConstraint(condition=Q(("number__gte", 1)), name="bill_number_from_1"),
                    models.CheckConstraint(
                        condition=Q(("pre_bill_number__gte", 1)), name="bill_pre_bill_number_from_1"
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("status", "Billed"), _negated=True),
                            Q(("billed_at__isnull", False), ("number__isnull", False)),
                            _connector="OR",
                        ),
                        name="bill_billed_has_a_number",
                    ),
                    models.CheckConstraint(
                        condition=Q(Q(("status", "PreBill"), _negated=True), ("number__isnull", True), _connector="OR"),
                        name="bill_pre_bill_has_no_number",
                    ),
                    models.CheckConstraint(
                        condition=Q(("number__isnull", False), ("pre_bill_number__isnull", False), _connector="OR"),
                        name="bill_has_a_number",
                    ),
                    models.CheckConstraint(condition=Exact(Length("currency"), 3), name="bill_has_a_currency"),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("status", "Canceled"), _negated=True),
                            Q(("canceled_at__isnull", False), ("canceled_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="bill_canceled_has_a_person",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Exact(
                                F("subtotal"),
                                Round(
                                    F("subtotal"),
                                    precision=models.Case(
                                        models.When(
                                            currency__in=[
                                                "BIF",
                                                "CLP",
                                                "DJF",
                                                "GNF",
                                                "ISK",
                                                "JPY",
                                                "KMF",
                                                "KRW",
                                                "PYG",
                                                "RWF",
                                                "UGX",
                                                "VND",
                                                "VUV",
                                                "XAF",
                                                "XOF",
                                                "XPF",
                                            ],
                                            then=0,
                                        ),
                                        models.When(
                                            currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3
                                        ),
                                        default=2,
                                        output_field=models.IntegerField(),
                                    ),
                                ),
                            ),
                            Exact(
                                F("tax"),
                                Round(
                                    F("tax"),
                                    precision=models.Case(
                                        models.When(
                                            currency__in=[
                                                "BIF",
                                                "CLP",
                                                "DJF",
                                                "GNF",
                                                "ISK",
                                                "JPY",
                                                "KMF",
                                                "KRW",
                                                "PYG",
                                                "RWF",
                                                "UGX",
                                                "VND",
                                                "VUV",
                                                "XAF",
                                                "XOF",
                                                "XPF",
                                            ],
                                            then=0,
                                        ),
                                        models.When(
                                            currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3
                                        ),
                                        default=2,
                                        output_field=models.IntegerField(),
                                    ),
                                ),
                            ),
                            Exact(
                                F("shipping_price"),
                                Round(
                                    F("shipping_price"),
                                    precision=models.Case(
                                        models.When(
                                            currency__in=[
                                                "BIF",
                                                "CLP",
                                                "DJF",
                                                "GNF",
                                                "ISK",
                                                "JPY",
                                                "KMF",
                                                "KRW",
                                                "PYG",
                                                "RWF",
                                                "UGX",
                                                "VND",
                                                "VUV",
                                                "XAF",
                                                "XOF",
                                                "XPF",
                                            ],
                                            then=0,
                                        ),
                                        models.When(
                                            currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3
                                        ),
                                        default=2,
                                        output_field=models.IntegerField(),
                                    ),
                                ),
                            ),
                            Exact(
                                F("total"),
                                Round(
                                    CombinedExpression(
                                        CombinedExpression(F("subtotal"), "+", F("tax")), "+", F("shipping_price")
                                    ),
                                    precision=models.Case(
                                        models.When(
                                            currency__in=[
                                                "BIF",
                                                "CLP",
                                                "DJF",
                                                "GNF",
                                                "ISK",
                                                "JPY",
                                                "KMF",
                                                "KRW",
                                                "PYG",
                                                "RWF",
                                                "UGX",
                                                "VND",
                                                "VUV",
                                                "XAF",
                                                "XOF",
                                                "XPF",
                                            ],
                                            then=0,
                                        ),
                                        models.When(
                                            currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3
                                        ),
                                        default=2,
                                        output_field=models.IntegerField(),
                                    ),
                                ),
                            ),
                        ),
                        name="bill_total_is_its_sum",
                    ),
                    models.CheckConstraint(condition=Q(("shipping_price__gte", 0)), name="bill_shipping_not_negative"),
                ],
            },
        ),
        migrations.CreateModel(
            name="BillLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                ("quantity", models.PositiveIntegerField()),
                ("price", models.DecimalField(decimal_places=7, max_digits=17)),
                ("tax_amount", models.DecimalField(decimal_places=4, max_digits=7)),
                ("amount", models.DecimalField(decimal_places=3, max_digits=19)),
                ("tax", models.DecimalField(decimal_places=3, max_digits=19)),
                ("issued", models.JSONField(blank=True, null=True)),
                ("customer_sales_order_id", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("bill", models.ForeignKey(on_delete=models.CASCADE, related_name="lines", to="billing.bill")),
                ("line", models.ForeignKey(on_delete=models.PROTECT, related_name="bill_lines", to="orders.line")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("bill", "place"), name="bill_line_place_once"),
                    models.UniqueConstraint(fields=("bill", "line"), name="bill_line_once"),
                    models.CheckConstraint(condition=Q(("quantity__gte", 1)), name="bill_line_quantity_positive"),
                    models.CheckConstraint(condition=Q(("price__gte", 0)), name="bill_line_price_not_negative"),
                    models.CheckConstraint(
                        condition=Q(("tax_amount__gte", 0), ("tax_amount__lte", 100)),
                        name="bill_line_tax_is_a_percentage",
                    ),
                ]
            },
        ),
    ]

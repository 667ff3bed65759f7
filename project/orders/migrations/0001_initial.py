"""Orders, lines, records, presses and movements. The database refuses to change or delete a press or a movement.

Only a transaction that may erase a person's names (`audit.Exemption`) may change the free texts of a movement.
"""

import datetime
import uuid

from django.db import migrations, models
from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast, Coalesce

from project.core.operations import WrittenOnce
from project.core.searching import ensure_indexes
from project.core.spanish import Folded, NameKey

REFUSES = "what happened is never changed or deleted"


def index(apps, schema_editor):
    ensure_indexes(schema_editor.connection, ["orders_salesorder"])


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("audit", "0001_initial"),
        ("catalogs", "0001_initial"),
        ("core", "0002_initial"),
        ("identity", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ChangedDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="SalesOrder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("customer_sales_order_id", models.CharField(db_collation="spanish", max_length=200)),
                ("sales_order_date", models.DateField()),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("New", "New"),
                            ("PartiallyApproved", "PartiallyApproved"),
                            ("Approved", "Approved"),
                            ("InProcess", "InProcess"),
                            ("Done", "Done"),
                            ("Canceled", "Canceled"),
                            ("Invoiced", "Invoiced"),
                        ],
                        default="New",
                        max_length=20,
                    ),
                ),
                ("creation_date", models.DateTimeField()),
                (
                    "search_text",
                    models.GeneratedField(
                        db_persist=True,
                        expression=Folded(NameKey(Cast("customer_sales_order_id", models.TextField()))),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "customer",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="sales_orders", to="catalogs.customer"),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["sales_order_date", "id"], name="sales_order_by_date"),
                    models.Index(fields=["status", "id"], name="sales_order_by_status"),
                    models.Index(fields=["status", "sales_order_date", "id"], name="sales_order_by_status_and_date"),
                    models.Index(fields=["customer_sales_order_id", "id"], name="sales_order_by_po"),
                    models.Index(fields=["search_text"], name="sales_order_by_searched"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        NameKey("customer_sales_order_id"), F("customer"), name="sales_order_po_once_per_customer"
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("sales_order_date__isnull", True),
                            ("sales_order_date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                            _connector="OR",
                        ),
                        name="sales_order_date_in_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Line",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("image", models.CharField(blank=True, default="", max_length=200)),
                ("name_image", models.CharField(blank=True, default="", max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("quantity", models.PositiveIntegerField()),
                ("quantity_inside", models.IntegerField(default=0)),
                ("quantity_billed", models.IntegerField(default=0)),
                ("quantity_scrapped", models.IntegerField(db_default=0, default=0)),
                ("quantity_replaced", models.IntegerField(db_default=0, default=0)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("New", "New"),
                            ("Approved", "Approved"),
                            ("InProcess", "InProcess"),
                            ("Done", "Done"),
                            ("Canceled", "Canceled"),
                            ("Invoiced", "Invoiced"),
                        ],
                        default="New",
                        max_length=20,
                    ),
                ),
                ("shipment_date", models.DateField(blank=True, null=True)),
                ("delivery_date", models.DateField(blank=True, null=True)),
                (
                    "due",
                    models.GeneratedField(
                        db_persist=True,
                        expression=Coalesce(F("delivery_date"), models.Value(datetime.date(9999, 12, 31))),
                        output_field=models.DateField(),
                    ),
                ),
                (
                    "urgency",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Case(
                            models.When(
                                status__in=["Done", "Invoiced", "Canceled"],
                                then=models.Value(datetime.date(9999, 12, 31)),
                            ),
                            default=Coalesce(F("delivery_date"), models.Value(datetime.date(9999, 12, 31))),
                            output_field=models.DateField(),
                        ),
                        output_field=models.DateField(),
                    ),
                ),
                ("shipping_date", models.DateField(blank=True, null=True)),
                ("offered_date", models.DateField(blank=True, null=True)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("creation_date", models.DateTimeField()),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("metal_mg", models.BigIntegerField(blank=True, null=True)),
                ("item", models.ForeignKey(on_delete=models.PROTECT, related_name="lines", to="catalogs.item")),
                (
                    "order",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="lines", to="orders.salesorder"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["due", "id"], name="line_by_due"),
                    models.Index(fields=["urgency", "id"], name="line_by_urgency"),
                    models.Index(fields=["status", "delivery_date"], name="line_by_status"),
                    models.Index(fields=["position", "-order"], name="line_by_position"),
                    models.Index(
                        condition=Q(("status__in", ("Done", "Invoiced"))),
                        fields=["item", "-id"],
                        name="line_finished_by_item",
                    ),
                    models.Index(condition=Q(("done_at__isnull", False)), fields=["-done_at"], name="line_by_done"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("order", "position"), name="line_position_once"),
                    models.CheckConstraint(condition=Q(("position__gte", 1)), name="line_position_from_1"),
                    models.CheckConstraint(condition=Q(("quantity__gte", 1)), name="line_quantity_positive"),
                    models.CheckConstraint(
                        condition=Q(
                            ("quantity_inside__gte", 0),
                            (
                                "quantity_inside__lte",
                                CombinedExpression(
                                    CombinedExpression(F("quantity"), "-", F("quantity_scrapped")),
                                    "+",
                                    F("quantity_replaced"),
                                ),
                            ),
                        ),
                        name="line_pieces_inside_fit_the_line",
                    ),
                    models.CheckConstraint(
                        condition=Q(("quantity_replaced__gte", 0), ("quantity_replaced__lte", F("quantity_scrapped"))),
                        name="line_replaces_scrapped_pieces",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("quantity_billed__gte", 0),
                            (
                                "quantity_billed__lte",
                                CombinedExpression(
                                    CombinedExpression(F("quantity"), "-", F("quantity_scrapped")),
                                    "+",
                                    F("quantity_replaced"),
                                ),
                            ),
                        ),
                        name="line_pieces_billed_fit_the_line",
                    ),
                    models.CheckConstraint(
                        condition=Q(("quantity_inside__gt", 0), ("status__in", ("Done", "Invoiced")), _negated=True),
                        name="line_done_has_nothing_inside",
                    ),
                    models.CheckConstraint(
                        condition=Q(("quantity_billed", 0), ("status__in", ("Done", "Invoiced")), _connector="OR"),
                        name="line_with_billed_pieces_is_done",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(
                                (
                                    "quantity_billed",
                                    CombinedExpression(
                                        CombinedExpression(F("quantity"), "-", F("quantity_scrapped")),
                                        "+",
                                        F("quantity_replaced"),
                                    ),
                                ),
                                ("status", "Invoiced"),
                            ),
                            Q(
                                Q(("status", "Invoiced"), _negated=True),
                                Q(
                                    (
                                        "quantity_billed__lt",
                                        CombinedExpression(
                                            CombinedExpression(F("quantity"), "-", F("quantity_scrapped")),
                                            "+",
                                            F("quantity_replaced"),
                                        ),
                                    ),
                                    ("quantity_billed", 0),
                                    _connector="OR",
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="line_invoiced_is_billed_whole",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(
                                ("shipment_date__isnull", True),
                                ("shipment_date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                                _connector="OR",
                            ),
                            Q(
                                ("delivery_date__isnull", True),
                                ("delivery_date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                                _connector="OR",
                            ),
                            Q(
                                ("shipping_date__isnull", True),
                                ("shipping_date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                                _connector="OR",
                            ),
                        ),
                        name="line_dates_in_range",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("offered_date__isnull", True),
                            ("offered_date__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                            _connector="OR",
                        ),
                        name="line_offered_date_in_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Press",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("move", "move"),
                            ("handOver", "handOver"),
                            ("scrap", "scrap"),
                            ("replace", "replace"),
                            ("release", "release"),
                            ("undo", "undo"),
                            ("weigh", "weigh"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("received_at", models.DateTimeField(blank=True, null=True)),
                ("batch_id", models.BigIntegerField(blank=True, db_index=True, null=True)),
                ("lines", models.PositiveIntegerField(default=1)),
                ("by", models.ForeignKey(on_delete=models.RESTRICT, related_name="presses", to="identity.user")),
                (
                    "kept",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.RESTRICT,
                        related_name="press",
                        to="core.idempotentanswer",
                    ),
                ),
                (
                    "station",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.RESTRICT,
                        related_name="+",
                        to="identity.user",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Movement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "side",
                    models.CharField(
                        choices=[
                            ("in", "in"),
                            ("out", "out"),
                            ("scrap", "scrap"),
                            ("weigh", "weigh"),
                            ("replace", "replace"),
                        ],
                        max_length=7,
                    ),
                ),
                ("pieces", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("photo", models.CharField(blank=True, default="", max_length=200)),
                ("mg_in", models.BigIntegerField(blank=True, null=True)),
                ("mg", models.BigIntegerField(blank=True, null=True)),
                ("mg_other", models.BigIntegerField(blank=True, null=True)),
                ("mg_added", models.BigIntegerField(blank=True, null=True)),
                ("mg_scrap", models.BigIntegerField(blank=True, null=True)),
                ("weight_reason", models.CharField(blank=True, default="", max_length=200)),
                ("price", models.DecimalField(blank=True, decimal_places=7, max_digits=17, null=True)),
                (
                    "price_unit",
                    models.CharField(choices=[("piece", "piece"), ("gram", "gram")], default="piece", max_length=5),
                ),
                (
                    "alloy",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.RESTRICT,
                        related_name="movements",
                        to="catalogs.alloy",
                    ),
                ),
                (
                    "line",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="movements", to="orders.line"
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.RESTRICT,
                        related_name="movements",
                        to="catalogs.productionprocess",
                    ),
                ),
                (
                    "release_reason",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.RESTRICT,
                        related_name="movements",
                        to="catalogs.releasereason",
                    ),
                ),
                (
                    "scrap_reason",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.RESTRICT,
                        related_name="movements",
                        to="catalogs.scrapreason",
                    ),
                ),
                (
                    "takes_back",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="taken_back_by",
                        to="orders.movement",
                    ),
                ),
                ("press", models.ForeignKey(on_delete=models.CASCADE, related_name="movements", to="orders.press")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["line", "at", "id"], name="movement_by_line"),
                    models.Index(fields=["process", "-at", "-id"], name="movement_by_process"),
                    models.Index(fields=["at", "id"], name="movement_by_time"),
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(("pieces__gte", 1)), name="movement_moves_pieces"),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("process__isnull", True), ("side", "replace")),
                            Q(Q(("side", "replace"), _negated=True), ("process__isnull", False)),
                            _connector="OR",
                        ),
                        name="movement_is_at_a_process",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProcessRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("quantity", models.PositiveIntegerField()),
                ("input_at", models.DateTimeField()),
                ("output_at", models.DateTimeField(blank=True, null=True)),
                ("released_at", models.DateTimeField(blank=True, null=True)),
                ("reopened_at", models.DateTimeField(blank=True, null=True)),
                ("scrapped", models.BooleanField(db_default=False, default=False)),
                ("photo", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("price", models.DecimalField(blank=True, decimal_places=7, max_digits=17, null=True)),
                (
                    "price_unit",
                    models.CharField(
                        choices=[("piece", "piece"), ("gram", "gram")],
                        db_default="piece",
                        default="piece",
                        max_length=5,
                    ),
                ),
                ("quantity_paid", models.IntegerField(default=0)),
                ("mg_in", models.BigIntegerField(blank=True, null=True)),
                ("mg_out", models.BigIntegerField(blank=True, null=True)),
                ("mg_other", models.BigIntegerField(blank=True, null=True)),
                ("mg_scrap", models.BigIntegerField(blank=True, null=True)),
                ("mg_added", models.BigIntegerField(blank=True, null=True)),
                ("mg_between", models.BigIntegerField(blank=True, null=True)),
                ("weight_reason", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("loss_to_sign", models.BooleanField(db_default=False, default=False)),
                ("loss_signed_at", models.DateTimeField(blank=True, null=True)),
                ("mg_paid", models.BigIntegerField(db_default=0, default=0)),
                (
                    "alloy",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="records",
                        to="catalogs.alloy",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="entered_records",
                        to="orders.movement",
                    ),
                ),
                (
                    "exit",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="left_records",
                        to="orders.movement",
                    ),
                ),
                (
                    "input_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="entered_records", to="identity.user"),
                ),
                ("line", models.ForeignKey(on_delete=models.CASCADE, related_name="records", to="orders.line")),
                (
                    "loss_signed_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="signed_losses",
                        to="identity.user",
                    ),
                ),
                (
                    "output_by",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="left_records", to="identity.user"
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="records", to="catalogs.productionprocess"
                    ),
                ),
                (
                    "release_reason",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="records",
                        to="catalogs.releasereason",
                    ),
                ),
                (
                    "released",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="released_records",
                        to="orders.movement",
                    ),
                ),
                (
                    "released_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="released_records",
                        to="identity.user",
                    ),
                ),
                (
                    "scrap_reason",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="records",
                        to="catalogs.scrapreason",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(("output_at__isnull", True), ("released_at__isnull", True)),
                        fields=["process", "line"],
                        name="record_open_by_process",
                    ),
                    models.Index(
                        condition=Q(("output_at__isnull", True), ("released_at__isnull", True)),
                        fields=["line", "input_at", "id"],
                        name="record_open_by_line",
                    ),
                    models.Index(fields=["line", "-input_at", "-id"], name="record_by_line"),
                    models.Index(
                        condition=Q(("output_at__isnull", False), ("released_at__isnull", True)),
                        fields=["output_at", "id"],
                        name="record_closed",
                    ),
                    models.Index(
                        condition=Q(
                            ("output_at__isnull", False),
                            ("released_at__isnull", True),
                            ("price__isnull", False),
                            ("quantity_paid__lt", F("quantity")),
                        ),
                        fields=["output_at", "id"],
                        name="record_left_to_pay",
                    ),
                    models.Index(
                        condition=Q(("output_at__isnull", False), ("released_at__isnull", True)),
                        fields=["output_by", "output_at", "quantity", "price", "price_unit", "mg_out", "mg_scrap"],
                        name="record_closed_by_person",
                    ),
                    models.Index(
                        condition=Q(
                            ("output_at__isnull", False),
                            ("released_at__isnull", True),
                            ("price__isnull", False),
                            ("quantity_paid__lt", F("quantity")),
                        ),
                        fields=[
                            "output_by",
                            "output_at",
                            "id",
                            "quantity",
                            "quantity_paid",
                            "price",
                            "price_unit",
                            "mg_out",
                            "mg_scrap",
                            "mg_paid",
                        ],
                        name="record_left_to_pay_by_person",
                    ),
                    models.Index(
                        condition=Q(("scrap_reason__isnull", False)),
                        fields=["output_at", "scrap_reason"],
                        name="record_scrapped",
                    ),
                    models.Index(condition=Q(("loss_to_sign", True)), fields=["line"], name="record_loss_to_sign"),
                    models.Index(
                        condition=Q(("loss_signed_by__isnull", False)),
                        fields=["loss_signed_by"],
                        name="record_loss_signed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(("quantity__gte", 1)), name="record_quantity_positive"),
                    models.CheckConstraint(
                        condition=Q(("output_at__isnull", True), ("output_at__gte", F("input_at")), _connector="OR"),
                        name="record_exit_not_before_entry",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("output_at__isnull", True), ("output_by__isnull", True)),
                            Q(("output_at__isnull", False), ("output_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="record_exit_has_a_person",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("released_at__isnull", True), ("released_by__isnull", True)),
                            Q(("released_at__isnull", False), ("released_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="record_release_has_a_person",
                    ),
                    models.CheckConstraint(
                        condition=Q(("quantity_paid__gte", 0), ("quantity_paid__lte", F("quantity"))),
                        name="record_pieces_paid_fit_the_record",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("quantity_paid", 0),
                            Q(("output_at__isnull", False), ("released_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="record_paid_has_left_and_stands",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("mg_paid", 0),
                            Q(
                                Q(("mg_out__isnull", False), ("mg_scrap__isnull", False), _connector="OR"),
                                ("mg_paid__gt", 0),
                                ("mg_paid__lte", Coalesce("mg_out", "mg_scrap")),
                                ("price_unit", "gram"),
                            ),
                            _connector="OR",
                        ),
                        name="record_grams_paid_fit_the_weight",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("scrap_reason__isnull", True), ("scrapped", False)),
                            Q(("output_at__isnull", False), ("scrap_reason__isnull", False), ("scrapped", True)),
                            _connector="OR",
                        ),
                        name="record_scrap_has_left_for_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=Q(("price__isnull", True), ("price__gte", 0), _connector="OR"),
                        name="record_price_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(
                                ("alloy__isnull", False),
                                Q(("mg_in__isnull", True), ("mg_out__isnull", True), ("mg_scrap__isnull", True)),
                                _connector="OR",
                            ),
                            ("mg_added__gte", 0),
                            ("mg_in__gte", 0),
                            ("mg_other__gte", 0),
                            ("mg_out__gte", 0),
                            ("mg_scrap__gte", 0),
                        ),
                        name="record_weights_are_of_an_alloy",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("loss_signed_at__isnull", True), ("loss_signed_by__isnull", True)),
                            Q(
                                ("loss_signed_at__isnull", False),
                                ("loss_signed_by__isnull", False),
                                ("loss_to_sign", False),
                            ),
                            _connector="OR",
                        ),
                        name="record_loss_is_signed_by_a_person",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PastExit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "movement",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="past_exits", to="orders.movement"
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="past_exits", to="orders.processrecord"
                    ),
                ),
                (
                    "taken_back",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="+", to="orders.movement"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["movement"], name="past_exit_by_movement")],
                "constraints": [models.UniqueConstraint(fields=("record", "movement"), name="past_exit_once")],
            },
        ),
        migrations.CreateModel(
            name="Forecast",
            fields=[
                (
                    "line",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="forecast",
                        serialize=False,
                        to="orders.line",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("p50", models.DateField(blank=True, null=True)),
                ("p80", models.DateField(blank=True, null=True)),
                ("p90", models.DateField(blank=True, null=True)),
                ("due", models.DateField(blank=True, null=True)),
                ("on_time", models.FloatField(blank=True, null=True)),
                ("late_percent", models.SmallIntegerField(default=-1)),
                ("basis", models.PositiveIntegerField(default=0)),
                ("why", models.CharField(blank=True, default="", max_length=20)),
                ("doubtful_since", models.DateTimeField(blank=True, null=True)),
                ("likely_late", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(condition=Q(("likely_late", True)), fields=["line"], name="forecast_likely_late")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            Q(
                                ("p50__isnull", False),
                                ("p80__gte", F("p50")),
                                ("p80__isnull", False),
                                ("p90__gte", F("p80")),
                                ("p90__isnull", False),
                                ("why", ""),
                            ),
                            Q(
                                Q(("why", ""), _negated=True),
                                ("likely_late", False),
                                ("p50__isnull", True),
                                ("p80__isnull", True),
                                ("p90__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="forecast_has_its_days_or_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("on_time__isnull", True),
                            Q(("due__isnull", False), ("on_time__gte", 0), ("on_time__lte", 1)),
                            _connector="OR",
                        ),
                        name="forecast_chance_is_one_of_a_day",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="movement",
            name="record",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.CASCADE,
                related_name="later_movements",
                to="orders.processrecord",
            ),
        ),
        migrations.AddConstraint(
            model_name="movement",
            constraint=models.UniqueConstraint(fields=("takes_back", "record"), name="movement_taken_back_once"),
        ),
        migrations.AddConstraint(
            model_name="movement",
            constraint=models.UniqueConstraint(
                condition=Q(("record__isnull", True)),
                fields=("takes_back",),
                name="movement_of_no_record_taken_back_once",
            ),
        ),
        WrittenOnce("Press", refuses=REFUSES),
        WrittenOnce("Movement", refuses=REFUSES, erasable=("notes", "photo", "weight_reason")),
        migrations.RunPython(index, migrations.RunPython.noop),
    ]

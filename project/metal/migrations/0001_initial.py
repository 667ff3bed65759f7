"""The accounts of metal and their entries. The database refuses to change or delete an entry.

Only a transaction that may erase a person's names (`audit.Exemption`) may change its free texts.
"""

import datetime

from django.db import migrations, models
from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression

from project.core.operations import WrittenOnce
from project.core.spanish import NameKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("audit", "0001_initial"),
        ("catalogs", "0001_initial"),
        ("core", "0001_collation"),
        ("identity", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("vault", "vault"),
                            ("person", "person"),
                            ("line", "line"),
                            ("batch", "batch"),
                            ("outside", "outside"),
                            ("scrap", "scrap"),
                            ("dust", "dust"),
                            ("bath", "bath"),
                            ("refinery", "refinery"),
                            ("finished", "finished"),
                            ("shipped", "shipped"),
                            ("lost", "lost"),
                            ("supplier", "supplier"),
                        ],
                        max_length=10,
                    ),
                ),
                ("sales_order_id", models.BigIntegerField(blank=True, null=True)),
                ("position", models.PositiveIntegerField(blank=True, null=True)),
                ("batch_id", models.BigIntegerField(blank=True, null=True)),
                ("name", models.CharField(blank=True, db_collation="spanish", default="", max_length=200)),
                (
                    "process",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="metal_accounts",
                        to="catalogs.productionprocess",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="metal_accounts",
                        to="identity.user",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(("kind__in", ["vault", "scrap", "refinery", "finished", "shipped", "lost"])),
                        fields=("kind",),
                        name="metal_account_of_the_workshop_once",
                    ),
                    models.UniqueConstraint(
                        condition=Q(("kind", "person")),
                        fields=("user", "process"),
                        name="metal_account_of_a_person_once",
                    ),
                    models.UniqueConstraint(
                        condition=Q(("kind", "line")),
                        fields=("sales_order_id", "position"),
                        name="metal_account_of_a_line_once",
                    ),
                    models.UniqueConstraint(
                        condition=Q(("kind", "batch")), fields=("batch_id",), name="metal_account_of_a_batch_once"
                    ),
                    models.UniqueConstraint(
                        condition=Q(("kind__in", ["dust", "bath"])),
                        fields=("kind", "process"),
                        name="metal_account_of_a_process_once",
                    ),
                    models.UniqueConstraint(
                        F("kind"),
                        NameKey("name"),
                        condition=Q(("kind__in", ["outside", "supplier"])),
                        name="metal_account_of_a_name_once",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("kind", "person"), ("process__isnull", False), ("user__isnull", False)),
                            Q(("kind__in", ["dust", "bath"]), ("process__isnull", False), ("user__isnull", True)),
                            Q(
                                Q(("kind__in", ["person", "dust", "bath"]), _negated=True),
                                ("process__isnull", True),
                                ("user__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="metal_account_has_its_person",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("kind", "line"), ("position__isnull", False), ("sales_order_id__isnull", False)),
                            Q(
                                Q(("kind", "line"), _negated=True),
                                ("position__isnull", True),
                                ("sales_order_id__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="metal_account_has_its_line",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("batch_id__isnull", False), ("kind", "batch")),
                            Q(Q(("kind", "batch"), _negated=True), ("batch_id__isnull", True)),
                            _connector="OR",
                        ),
                        name="metal_account_has_its_batch",
                    ),
                    models.CheckConstraint(
                        condition=Q(("kind__in", ["outside", "supplier"]), ("name", ""), _negated=True),
                        name="metal_account_has_its_name",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Balance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mg", models.BigIntegerField(default=0)),
                ("below_zero", models.BooleanField(default=False)),
                ("account", models.ForeignKey(on_delete=models.PROTECT, related_name="balances", to="metal.account")),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="balances", to="catalogs.alloy")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("account", "alloy"), name="metal_balance_once"),
                    models.CheckConstraint(
                        condition=Q(("mg__gte", 0), ("below_zero", True), _connector="OR"),
                        name="metal_balance_not_below_zero",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Lot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("received_mg", models.BigIntegerField()),
                ("left_mg", models.BigIntegerField(default=0)),
                ("taken_mg", models.BigIntegerField(default=0)),
                ("supplier", models.CharField(db_collation="spanish", max_length=200)),
                ("document", models.CharField(blank=True, default="", max_length=200)),
                ("assay", models.PositiveIntegerField(blank=True, null=True)),
                ("day", models.DateField()),
                ("created_at", models.DateTimeField()),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="lots", to="catalogs.alloy")),
                ("by", models.ForeignKey(on_delete=models.PROTECT, related_name="metal_lots", to="identity.user")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["-day", "-id"], name="metal_lot_by_day"),
                    models.Index(
                        condition=Q(("left_mg__gt", 0)), fields=["alloy", "day", "id"], name="metal_lot_with_metal_left"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(("received_mg__gt", 0)), name="metal_lot_has_metal"),
                    models.CheckConstraint(condition=Q(("left_mg__gte", 0)), name="metal_lot_left_not_below_zero"),
                    models.CheckConstraint(
                        condition=Q(("assay__isnull", True), ("assay__range", (0, 10000)), _connector="OR"),
                        name="metal_lot_assay_in_range",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("day__isnull", True),
                            ("day__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                            _connector="OR",
                        ),
                        name="metal_lot_day_in_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Melting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("mg", models.BigIntegerField()),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="meltings", to="catalogs.alloy")),
                ("by", models.ForeignKey(on_delete=models.PROTECT, related_name="meltings", to="identity.user")),
            ],
            options={
                "indexes": [models.Index(fields=["-at", "-id"], name="melting_by_time")],
                "constraints": [models.CheckConstraint(condition=Q(("mg__gt", 0)), name="melting_has_metal")],
            },
        ),
        migrations.CreateModel(
            name="MetalDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("closing", models.PositiveIntegerField(default=1)),
                ("closed_at", models.DateTimeField()),
                ("reopened", models.BooleanField(default=False)),
                ("reopened_at", models.DateTimeField(blank=True, null=True)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("person_name", models.CharField(blank=True, default="", max_length=200)),
                ("closed_by_name", models.CharField(blank=True, default="", max_length=200)),
                ("process_name", models.CharField(blank=True, default="", max_length=200)),
                ("allowed_loss", models.DecimalField(blank=True, decimal_places=1, max_digits=5, null=True)),
                ("recovers", models.BooleanField(default=False)),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                (
                    "closed_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="closed_metal_days", to="identity.user"),
                ),
                ("person", models.ForeignKey(on_delete=models.PROTECT, related_name="metal_days", to="identity.user")),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="metal_days", to="catalogs.productionprocess"
                    ),
                ),
                (
                    "reopened_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="reopened_metal_days",
                        to="identity.user",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-day", "-id"], name="metal_day_by_day")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("process", "person", "day", "closing"), name="metal_day_closing_once"
                    ),
                    models.CheckConstraint(condition=Q(("closing__gte", 1)), name="metal_day_closing_from_1"),
                    models.CheckConstraint(
                        condition=Q(
                            ("day__isnull", True),
                            ("day__range", (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))),
                            _connector="OR",
                        ),
                        name="metal_day_in_range",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("reopened_at__isnull", True), ("reopened_by__isnull", True)),
                            Q(("reopened", True), ("reopened_at__isnull", False), ("reopened_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="metal_day_taken_back_as_a_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MetalDayAlloy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("expected_mg", models.BigIntegerField()),
                ("counted_mg", models.BigIntegerField()),
                ("dust_mg", models.BigIntegerField(default=0)),
                ("difference_mg", models.BigIntegerField()),
                ("received_mg", models.BigIntegerField(default=0)),
                ("alloy_name", models.CharField(blank=True, default="", max_length=200)),
                ("fineness", models.PositiveIntegerField(default=0)),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="metal_days", to="catalogs.alloy")),
                ("day", models.ForeignKey(on_delete=models.CASCADE, related_name="alloys", to="metal.metalday")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("day", "alloy"), name="metal_day_alloy_once"),
                    models.CheckConstraint(
                        condition=Q(("counted_mg__gte", 0), ("dust_mg__gte", 0), ("expected_mg__gte", 0)),
                        name="metal_day_not_below_zero",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            (
                                "difference_mg",
                                CombinedExpression(
                                    CombinedExpression(F("expected_mg"), "-", F("counted_mg")), "-", F("dust_mg")
                                ),
                            )
                        ),
                        name="metal_day_difference_adds_up",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="MetalEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("made_at", models.DateTimeField(blank=True, null=True)),
                ("mg", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("issue", "issue"),
                            ("reweigh", "reweigh"),
                            ("in", "in"),
                            ("out", "out"),
                            ("added", "added"),
                            ("scrap", "scrap"),
                            ("close", "close"),
                            ("dust", "dust"),
                            ("lost", "lost"),
                            ("refine", "refine"),
                            ("melt", "melt"),
                            ("receive", "receive"),
                            ("adjust", "adjust"),
                            ("finish", "finish"),
                            ("ship", "ship"),
                            ("return", "return"),
                            ("reversal", "reversal"),
                        ],
                        max_length=10,
                    ),
                ),
                ("record_id", models.BigIntegerField(blank=True, null=True)),
                ("movement_id", models.BigIntegerField(blank=True, null=True)),
                ("batch_id", models.BigIntegerField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="entries", to="catalogs.alloy")),
                ("by", models.ForeignKey(on_delete=models.PROTECT, related_name="metal_written", to="identity.user")),
                (
                    "line",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="of_line",
                        to="metal.account",
                    ),
                ),
                (
                    "lot",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="entries", to="metal.lot"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="metal_held", to="identity.user"
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="reversed_by",
                        to="metal.metalentry",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="given", to="metal.account"
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        db_index=False, on_delete=models.PROTECT, related_name="taken", to="metal.account"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["source", "-id"], name="metal_entry_by_source"),
                    models.Index(fields=["target", "-id"], name="metal_entry_by_target"),
                    models.Index(
                        condition=Q(("record_id__isnull", False)), fields=["record_id"], name="metal_entry_by_record"
                    ),
                    models.Index(
                        condition=Q(("movement_id__isnull", False)),
                        fields=["movement_id"],
                        name="metal_entry_by_movement",
                    ),
                    models.Index(condition=Q(("line__isnull", False)), fields=["line"], name="metal_entry_by_line"),
                    models.Index(
                        condition=Q(("batch_id__isnull", False)), fields=["batch_id"], name="metal_entry_by_batch"
                    ),
                    models.Index(fields=["at", "id"], name="metal_entry_by_time"),
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(("mg__gt", 0)), name="metal_entry_moves_metal"),
                    models.CheckConstraint(
                        condition=Q(("source", F("target")), _negated=True), name="metal_entry_has_two_accounts"
                    ),
                    models.CheckConstraint(
                        condition=Q(("reverses__isnull", True), ("kind", "reversal"), _connector="OR"),
                        name="metal_entry_that_reverses_says_so",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("record_id__isnull", True),
                            ("movement_id__isnull", False),
                            Q(("kind__in", ["issue", "reweigh", "in", "out", "added", "scrap"]), _negated=True),
                            _connector="OR",
                        ),
                        name="metal_entry_of_a_record_names_its_movement",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Refining",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("partner", models.CharField(db_collation="spanish", max_length=200)),
                ("sent_at", models.DateTimeField()),
                ("sent_mg", models.BigIntegerField()),
                ("expected_fine_mg", models.BigIntegerField()),
                ("returned_at", models.DateTimeField(blank=True, null=True)),
                ("returned_mg", models.BigIntegerField(blank=True, null=True)),
                ("assay", models.PositiveIntegerField(blank=True, null=True)),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="refinings", to="catalogs.alloy")),
                ("by", models.ForeignKey(on_delete=models.PROTECT, related_name="refinings", to="identity.user")),
                (
                    "returned_alloy",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="returned_refinings",
                        to="catalogs.alloy",
                    ),
                ),
                (
                    "returned_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="returned_refinings",
                        to="identity.user",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-sent_at", "-id"], name="refining_by_time")],
                "constraints": [
                    models.CheckConstraint(condition=Q(("sent_mg__gt", 0)), name="refining_sends_metal"),
                    models.CheckConstraint(condition=Q(("expected_fine_mg__gte", 0)), name="refining_expects_metal"),
                    models.CheckConstraint(
                        condition=Q(
                            Q(
                                ("assay__isnull", True),
                                ("returned_alloy__isnull", True),
                                ("returned_at__isnull", True),
                                ("returned_by__isnull", True),
                                ("returned_mg__isnull", True),
                            ),
                            Q(
                                ("assay__isnull", False),
                                ("returned_alloy__isnull", False),
                                ("returned_at__isnull", False),
                                ("returned_by__isnull", False),
                                ("returned_mg__gte", 0),
                            ),
                            _connector="OR",
                        ),
                        name="refining_returns_as_a_whole",
                    ),
                    models.CheckConstraint(
                        condition=Q(("assay__isnull", True), ("assay__range", (0, 10000)), _connector="OR"),
                        name="refining_assay_in_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RefiningShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mg", models.BigIntegerField()),
                (
                    "process",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="refining_shares",
                        to="catalogs.productionprocess",
                    ),
                ),
                ("refining", models.ForeignKey(on_delete=models.CASCADE, related_name="shares", to="metal.refining")),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=Q(("mg__gt", 0)), name="refining_share_has_metal")]
            },
        ),
        migrations.CreateModel(
            name="MetalCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                ("by", models.ForeignKey(on_delete=models.PROTECT, related_name="written_counts", to="identity.user")),
                (
                    "counted_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="metal_counts", to="identity.user"),
                ),
                (
                    "witness",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="witnessed_counts", to="identity.user"),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-at", "-id"], name="metal_count_by_time")],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("counted_by", F("witness")), _negated=True), name="metal_count_by_two_people"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MetalCountRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("alloy_name", models.CharField(max_length=200)),
                ("fineness", models.PositiveIntegerField()),
                ("expected_mg", models.BigIntegerField()),
                ("counted_mg", models.BigIntegerField()),
                ("difference_mg", models.BigIntegerField()),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("alloy", models.ForeignKey(on_delete=models.PROTECT, related_name="metal_counts", to="catalogs.alloy")),
                ("count", models.ForeignKey(on_delete=models.PROTECT, related_name="rows", to="metal.metalcount")),
                (
                    "lot",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="metal_counts", to="metal.lot"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("count", "lot"), name="metal_count_lot_once"),
                    models.UniqueConstraint(
                        condition=Q(("lot__isnull", True)),
                        fields=("count", "alloy"),
                        name="metal_count_alloy_without_lot_once",
                    ),
                    models.CheckConstraint(
                        condition=Q(("counted_mg__gte", 0), ("expected_mg__gte", 0)),
                        name="metal_count_not_below_zero",
                    ),
                    models.CheckConstraint(
                        condition=Q(("difference_mg", F("expected_mg") - F("counted_mg"))),
                        name="metal_count_difference_adds_up",
                    ),
                    models.CheckConstraint(
                        condition=Q(("difference_mg", 0), Q(("reason", ""), _negated=True), _connector="OR"),
                        name="metal_count_difference_has_a_reason",
                    ),
                ],
            },
        ),
        WrittenOnce("MetalCount", refuses="a count of the vault is never changed or deleted", erasable=("notes",)),
        WrittenOnce("MetalCountRow", refuses="a count of the vault is never changed or deleted", erasable=("reason",)),
        WrittenOnce(
            "MetalEntry", refuses="an entry of metal is never changed or deleted", erasable=("reason", "notes")
        ),
    ]

"""The accounts of metal and their entries. The database refuses to change or delete an entry.

Only a transaction that may erase a person's names (`audit.Exemption`) may change its free texts.
"""

import datetime

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

from project.core.spanish import NameKey

ACCOUNTS = [
    "vault",
    "person",
    "line",
    "batch",
    "outside",
    "scrap",
    "dust",
    "refinery",
    "finished",
    "shipped",
    "lost",
    "supplier",
]
ENTRIES = [
    "issue",
    "reweigh",
    "in",
    "out",
    "added",
    "scrap",
    "close",
    "dust",
    "lost",
    "refine",
    "melt",
    "receive",
    "adjust",
    "finish",
    "ship",
    "return",
    "reversal",
]
SINGLE = ["vault", "scrap", "refinery", "finished", "shipped", "lost"]
NAMED = ["outside", "supplier"]
DAYS = (datetime.date(1900, 1, 1), datetime.date(2200, 12, 31))

KEPT = (
    "id",
    "at",
    "made_at",
    "source_id",
    "target_id",
    "alloy_id",
    "lot_id",
    "mg",
    "kind",
    "record_id",
    "batch_id",
    "line_id",
    "person_id",
    "by_id",
    "reverses_id",
)
SAME = " AND ".join(f"OLD.{column} IS NOT DISTINCT FROM NEW.{column}" for column in KEPT)
MAY_ERASE = "EXISTS (SELECT 1 FROM audit_exemption WHERE erases)"
REFUSES = "'an entry of metal is never changed or deleted'"
POSTGRESQL = (
    f"""
    CREATE FUNCTION metal_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            IF {SAME} AND {MAY_ERASE} THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION {REFUSES} USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER metal_is_written_once BEFORE UPDATE OR DELETE ON metal_metalentry
    FOR EACH ROW EXECUTE FUNCTION metal_is_written_once()
    """,
    """
    CREATE TRIGGER metal_is_never_emptied BEFORE TRUNCATE ON metal_metalentry
    FOR EACH STATEMENT EXECUTE FUNCTION metal_is_written_once()
    """,
)
POSTGRESQL_BACK = (
    "DROP TRIGGER metal_is_never_emptied ON metal_metalentry",
    "DROP TRIGGER metal_is_written_once ON metal_metalentry",
    "DROP FUNCTION metal_is_written_once()",
)
SQLITE = (
    f"""
    CREATE TRIGGER metal_is_never_updated BEFORE UPDATE ON metal_metalentry
    WHEN NOT ({SAME.replace("IS NOT DISTINCT FROM", "IS")} AND {MAY_ERASE})
    BEGIN SELECT RAISE(ABORT, {REFUSES}); END
    """,
    f"""
    CREATE TRIGGER metal_is_never_deleted BEFORE DELETE ON metal_metalentry
    BEGIN SELECT RAISE(ABORT, {REFUSES}); END
    """,
)
SQLITE_BACK = ("DROP TRIGGER metal_is_never_deleted", "DROP TRIGGER metal_is_never_updated")


def forward(apps, schema_editor):
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def back(apps, schema_editor):
    for statement in POSTGRESQL_BACK if schema_editor.connection.vendor == "postgresql" else SQLITE_BACK:
        schema_editor.execute(statement)


def number():
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


USER, PROCESS, ALLOY, ACCOUNT = (
    settings.AUTH_USER_MODEL,
    "catalogs.productionprocess",
    "catalogs.alloy",
    "metal.account",
)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("audit", "0004_written_once_but"),
        ("catalogs", "0007_alloys"),
        ("core", "0001_spanish_collation"),
        ("identity", "0007_email_pin_or_badge_checked"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", number()),
                ("kind", models.CharField(max_length=10, choices=[(kind, kind) for kind in ACCOUNTS])),
                (
                    "user",
                    models.ForeignKey(
                        to=USER,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="metal_accounts",
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        to=PROCESS,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="metal_accounts",
                    ),
                ),
                ("sales_order_id", models.BigIntegerField(null=True, blank=True)),
                ("position", models.PositiveIntegerField(null=True, blank=True)),
                ("batch_id", models.BigIntegerField(null=True, blank=True)),
                ("name", models.CharField(max_length=200, default="", blank=True, db_collation="spanish")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["kind"], condition=Q(kind__in=SINGLE), name="metal_account_of_the_workshop_once"
                    ),
                    models.UniqueConstraint(
                        fields=["user", "process"], condition=Q(kind="person"), name="metal_account_of_a_person_once"
                    ),
                    models.UniqueConstraint(
                        fields=["sales_order_id", "position"],
                        condition=Q(kind="line"),
                        name="metal_account_of_a_line_once",
                    ),
                    models.UniqueConstraint(
                        fields=["batch_id"], condition=Q(kind="batch"), name="metal_account_of_a_batch_once"
                    ),
                    models.UniqueConstraint(
                        fields=["process"], condition=Q(kind="dust"), name="metal_account_of_dust_once"
                    ),
                    models.UniqueConstraint(
                        "kind", NameKey("name"), condition=Q(kind__in=NAMED), name="metal_account_of_a_name_once"
                    ),
                    models.CheckConstraint(
                        condition=Q(kind="person", user__isnull=False, process__isnull=False)
                        | Q(kind="dust", user__isnull=True, process__isnull=False)
                        | (~Q(kind__in=["person", "dust"]) & Q(user__isnull=True, process__isnull=True)),
                        name="metal_account_has_its_person",
                    ),
                    models.CheckConstraint(
                        condition=Q(kind="line", sales_order_id__isnull=False, position__isnull=False)
                        | (~Q(kind="line") & Q(sales_order_id__isnull=True, position__isnull=True)),
                        name="metal_account_has_its_line",
                    ),
                    models.CheckConstraint(
                        condition=Q(kind="batch", batch_id__isnull=False)
                        | (~Q(kind="batch") & Q(batch_id__isnull=True)),
                        name="metal_account_has_its_batch",
                    ),
                    models.CheckConstraint(
                        condition=~Q(kind__in=NAMED, name=""),
                        name="metal_account_has_its_name",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Lot",
            fields=[
                ("id", number()),
                (
                    "alloy",
                    models.ForeignKey(to=ALLOY, on_delete=django.db.models.deletion.PROTECT, related_name="lots"),
                ),
                ("received_mg", models.BigIntegerField()),
                ("supplier", models.CharField(max_length=200, db_collation="spanish")),
                ("document", models.CharField(max_length=200, default="", blank=True)),
                ("assay", models.PositiveIntegerField(null=True, blank=True)),
                ("day", models.DateField()),
                ("created_at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(to=USER, on_delete=django.db.models.deletion.PROTECT, related_name="metal_lots"),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-day", "-id"], name="metal_lot_by_day")],
                "constraints": [
                    models.CheckConstraint(condition=Q(received_mg__gt=0), name="metal_lot_has_metal"),
                    models.CheckConstraint(
                        condition=Q(assay__isnull=True) | Q(assay__range=(0, 10_000)), name="metal_lot_assay_in_range"
                    ),
                    models.CheckConstraint(
                        condition=Q(day__isnull=True) | Q(day__range=DAYS), name="metal_lot_day_in_range"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Balance",
            fields=[
                ("id", number()),
                (
                    "account",
                    models.ForeignKey(to=ACCOUNT, on_delete=django.db.models.deletion.PROTECT, related_name="balances"),
                ),
                (
                    "alloy",
                    models.ForeignKey(to=ALLOY, on_delete=django.db.models.deletion.PROTECT, related_name="balances"),
                ),
                ("mg", models.BigIntegerField(default=0)),
                ("below_zero", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["account", "alloy"], name="metal_balance_once"),
                    models.CheckConstraint(
                        condition=Q(mg__gte=0) | Q(below_zero=True), name="metal_balance_not_below_zero"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MetalEntry",
            fields=[
                ("id", number()),
                ("at", models.DateTimeField()),
                ("made_at", models.DateTimeField(null=True, blank=True)),
                (
                    "source",
                    models.ForeignKey(
                        to=ACCOUNT, on_delete=django.db.models.deletion.PROTECT, related_name="given", db_index=False
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        to=ACCOUNT, on_delete=django.db.models.deletion.PROTECT, related_name="taken", db_index=False
                    ),
                ),
                (
                    "alloy",
                    models.ForeignKey(to=ALLOY, on_delete=django.db.models.deletion.PROTECT, related_name="entries"),
                ),
                (
                    "lot",
                    models.ForeignKey(
                        to="metal.lot",
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                    ),
                ),
                ("mg", models.BigIntegerField()),
                ("kind", models.CharField(max_length=10, choices=[(kind, kind) for kind in ENTRIES])),
                ("record_id", models.BigIntegerField(null=True, blank=True)),
                ("batch_id", models.BigIntegerField(null=True, blank=True)),
                (
                    "line",
                    models.ForeignKey(
                        to=ACCOUNT,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="of_line",
                        db_index=False,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        to=USER,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="metal_held",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        to=USER, on_delete=django.db.models.deletion.PROTECT, related_name="metal_written"
                    ),
                ),
                ("reason", models.CharField(max_length=200, default="", blank=True)),
                ("notes", models.CharField(max_length=200, default="", blank=True)),
                (
                    "reverses",
                    models.OneToOneField(
                        to="metal.metalentry",
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversed_by",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["source", "-id"], name="metal_entry_by_source"),
                    models.Index(fields=["target", "-id"], name="metal_entry_by_target"),
                    models.Index(
                        fields=["record_id"], condition=Q(record_id__isnull=False), name="metal_entry_by_record"
                    ),
                    models.Index(fields=["line"], condition=Q(line__isnull=False), name="metal_entry_by_line"),
                    models.Index(fields=["batch_id"], condition=Q(batch_id__isnull=False), name="metal_entry_by_batch"),
                    models.Index(fields=["at", "id"], name="metal_entry_by_time"),
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(mg__gt=0), name="metal_entry_moves_metal"),
                    models.CheckConstraint(condition=~Q(source=F("target")), name="metal_entry_has_two_accounts"),
                    models.CheckConstraint(
                        condition=Q(reverses__isnull=True) | Q(kind="reversal"),
                        name="metal_entry_that_reverses_says_so",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MetalDay",
            fields=[
                ("id", number()),
                (
                    "process",
                    models.ForeignKey(
                        to=PROCESS, on_delete=django.db.models.deletion.PROTECT, related_name="metal_days"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(to=USER, on_delete=django.db.models.deletion.PROTECT, related_name="metal_days"),
                ),
                ("day", models.DateField()),
                ("closing", models.PositiveIntegerField(default=1)),
                ("closed_at", models.DateTimeField()),
                (
                    "closed_by",
                    models.ForeignKey(
                        to=USER, on_delete=django.db.models.deletion.PROTECT, related_name="closed_metal_days"
                    ),
                ),
                ("reopened", models.BooleanField(default=False)),
                ("notes", models.CharField(max_length=200, default="", blank=True)),
            ],
            options={
                "indexes": [models.Index(fields=["-day", "-id"], name="metal_day_by_day")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["process", "person", "day", "closing"], name="metal_day_closing_once"
                    ),
                    models.CheckConstraint(condition=Q(closing__gte=1), name="metal_day_closing_from_1"),
                    models.CheckConstraint(
                        condition=Q(day__isnull=True) | Q(day__range=DAYS), name="metal_day_in_range"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MetalDayAlloy",
            fields=[
                ("id", number()),
                (
                    "day",
                    models.ForeignKey(
                        to="metal.metalday", on_delete=django.db.models.deletion.CASCADE, related_name="alloys"
                    ),
                ),
                (
                    "alloy",
                    models.ForeignKey(to=ALLOY, on_delete=django.db.models.deletion.PROTECT, related_name="metal_days"),
                ),
                ("expected_mg", models.BigIntegerField()),
                ("counted_mg", models.BigIntegerField()),
                ("dust_mg", models.BigIntegerField(default=0)),
                ("difference_mg", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["day", "alloy"], name="metal_day_alloy_once"),
                    models.CheckConstraint(
                        condition=Q(expected_mg__gte=0, counted_mg__gte=0, dust_mg__gte=0),
                        name="metal_day_not_below_zero",
                    ),
                    models.CheckConstraint(
                        condition=Q(difference_mg=F("expected_mg") - F("counted_mg") - F("dust_mg")),
                        name="metal_day_difference_adds_up",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Refining",
            fields=[
                ("id", number()),
                ("partner", models.CharField(max_length=200, db_collation="spanish")),
                (
                    "alloy",
                    models.ForeignKey(to=ALLOY, on_delete=django.db.models.deletion.PROTECT, related_name="refinings"),
                ),
                ("sent_at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(to=USER, on_delete=django.db.models.deletion.PROTECT, related_name="refinings"),
                ),
                ("sent_mg", models.BigIntegerField()),
                ("expected_fine_mg", models.BigIntegerField()),
                ("returned_at", models.DateTimeField(null=True, blank=True)),
                (
                    "returned_by",
                    models.ForeignKey(
                        to=USER,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="returned_refinings",
                    ),
                ),
                ("returned_mg", models.BigIntegerField(null=True, blank=True)),
                (
                    "returned_alloy",
                    models.ForeignKey(
                        to=ALLOY,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="returned_refinings",
                    ),
                ),
                ("assay", models.PositiveIntegerField(null=True, blank=True)),
                ("notes", models.CharField(max_length=200, default="", blank=True)),
            ],
            options={
                "indexes": [models.Index(fields=["-sent_at", "-id"], name="refining_by_time")],
                "constraints": [
                    models.CheckConstraint(condition=Q(sent_mg__gt=0), name="refining_sends_metal"),
                    models.CheckConstraint(condition=Q(expected_fine_mg__gte=0), name="refining_expects_metal"),
                    models.CheckConstraint(
                        condition=Q(
                            returned_at__isnull=True,
                            returned_by__isnull=True,
                            returned_mg__isnull=True,
                            returned_alloy__isnull=True,
                            assay__isnull=True,
                        )
                        | Q(
                            returned_at__isnull=False,
                            returned_by__isnull=False,
                            returned_mg__gte=0,
                            returned_alloy__isnull=False,
                            assay__isnull=False,
                        ),
                        name="refining_returns_as_a_whole",
                    ),
                    models.CheckConstraint(
                        condition=Q(assay__isnull=True) | Q(assay__range=(0, 10_000)), name="refining_assay_in_range"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RefiningShare",
            fields=[
                ("id", number()),
                (
                    "refining",
                    models.ForeignKey(
                        to="metal.refining", on_delete=django.db.models.deletion.CASCADE, related_name="shares"
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        to=PROCESS,
                        null=True,
                        blank=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="refining_shares",
                    ),
                ),
                ("mg", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=Q(mg__gt=0), name="refining_share_has_metal"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Melting",
            fields=[
                ("id", number()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(to=USER, on_delete=django.db.models.deletion.PROTECT, related_name="meltings"),
                ),
                (
                    "alloy",
                    models.ForeignKey(to=ALLOY, on_delete=django.db.models.deletion.PROTECT, related_name="meltings"),
                ),
                ("mg", models.BigIntegerField()),
                ("reason", models.CharField(max_length=200, default="", blank=True)),
            ],
            options={
                "indexes": [models.Index(fields=["-at", "-id"], name="melting_by_time")],
                "constraints": [
                    models.CheckConstraint(condition=Q(mg__gt=0), name="melting_has_metal"),
                ],
            },
        ),
        migrations.RunPython(forward, back),
    ]

"""Accounts of metal, the entries that move metal between them, and the papers about metal.

An entry is never changed or deleted: the database refuses it (migration 0001). Another entry reverses a wrong one.

For each alloy the sum over all accounts is always 0.
"""

from enum import StrEnum
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from project.catalogs.models import Alloy, ProductionProcess
from project.core.constraints import days_in_range
from project.core.spanish import COLLATION, NameKey

NOTES = 200


class AccountKind(StrEnum):
    """Where metal is. Only balances of `supplier` and `lost` may fall below 0."""

    vault = "vault"
    person = "person"
    line = "line"
    batch = "batch"
    outside = "outside"
    scrap = "scrap"
    dust = "dust"
    bath = "bath"
    refinery = "refinery"
    finished = "finished"
    shipped = "shipped"
    lost = "lost"
    supplier = "supplier"


class EntryKind(StrEnum):
    """Why metal moved from one account to another."""

    issue = "issue"
    reweigh = "reweigh"
    enters = "in"
    leaves = "out"
    added = "added"
    scrap = "scrap"
    close = "close"
    dust = "dust"
    lost = "lost"
    refine = "refine"
    melt = "melt"
    receive = "receive"
    adjust = "adjust"
    finish = "finish"
    ship = "ship"
    gives_back = "return"
    reversal = "reversal"


OF_RECORDS = (
    EntryKind.issue,
    EntryKind.reweigh,
    EntryKind.enters,
    EntryKind.leaves,
    EntryKind.added,
    EntryKind.scrap,
)
"""The kinds of entries with a process record's id in `record_id`."""
BOOKED = (EntryKind.close, EntryKind.dust)
"""The kinds of entries that a closing of a day writes."""
_OF_RECORDS = [kind.value for kind in OF_RECORDS]
SINGLE = (
    AccountKind.vault,
    AccountKind.scrap,
    AccountKind.refinery,
    AccountKind.finished,
    AccountKind.shipped,
    AccountKind.lost,
)
"""The kinds that have one account for the whole workshop."""
NAMED = (AccountKind.outside, AccountKind.supplier)
"""The kinds that have an account for each name."""
OF_PROCESS = (AccountKind.dust, AccountKind.bath)
"""The kinds that have an account for each process. A bath holds the metal that plating puts on pieces."""
BELOW_ZERO = (AccountKind.supplier, AccountKind.lost)
"""The kinds of accounts with balances that may fall below 0: they may give metal that the books do not hold."""


def _kinds(kinds: tuple[AccountKind, ...]) -> list[str]:
    return [kind.value for kind in kinds]


def _assay_in_range(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(assay__isnull=True) | Q(assay__range=(0, 10_000)), name=name)


class Account(models.Model):
    """A place that holds metal. It is created when it is first needed, and never deleted.

    A person has one account for each process; a line of an order has its own account. The package does not import the
    models of lines and batches, so it stores only their ids. `name`: the name of a supplier or partner; for a line, the
    order's PO#.
    """

    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in AccountKind])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="metal_accounts"
    )
    process = models.ForeignKey(
        ProductionProcess, null=True, blank=True, on_delete=models.PROTECT, related_name="metal_accounts"
    )
    sales_order_id = models.BigIntegerField(null=True, blank=True)
    position = models.PositiveIntegerField(null=True, blank=True)
    batch_id = models.BigIntegerField(null=True, blank=True)
    name = models.CharField(max_length=200, default="", blank=True, db_collation=COLLATION)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["kind"], condition=Q(kind__in=_kinds(SINGLE)), name="metal_account_of_the_workshop_once"
            ),
            models.UniqueConstraint(
                fields=["user", "process"], condition=Q(kind="person"), name="metal_account_of_a_person_once"
            ),
            models.UniqueConstraint(
                fields=["sales_order_id", "position"], condition=Q(kind="line"), name="metal_account_of_a_line_once"
            ),
            models.UniqueConstraint(
                fields=["batch_id"], condition=Q(kind="batch"), name="metal_account_of_a_batch_once"
            ),
            models.UniqueConstraint(
                fields=["kind", "process"],
                condition=Q(kind__in=_kinds(OF_PROCESS)),
                name="metal_account_of_a_process_once",
            ),
            models.UniqueConstraint(
                "kind", NameKey("name"), condition=Q(kind__in=_kinds(NAMED)), name="metal_account_of_a_name_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="person", user__isnull=False, process__isnull=False)
                | Q(kind__in=_kinds(OF_PROCESS), user__isnull=True, process__isnull=False)
                | (~Q(kind__in=["person", *_kinds(OF_PROCESS)]) & Q(user__isnull=True, process__isnull=True)),
                name="metal_account_has_its_person",
            ),
            models.CheckConstraint(
                condition=Q(kind="line", sales_order_id__isnull=False, position__isnull=False)
                | (~Q(kind="line") & Q(sales_order_id__isnull=True, position__isnull=True)),
                name="metal_account_has_its_line",
            ),
            models.CheckConstraint(
                condition=Q(kind="batch", batch_id__isnull=False) | (~Q(kind="batch") & Q(batch_id__isnull=True)),
                name="metal_account_has_its_batch",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=_kinds(NAMED), name=""),
                name="metal_account_has_its_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()

    @property
    def below_zero(self) -> bool:
        """Whether the account's balances may fall below 0."""
        return self.kind in BELOW_ZERO


class Balance(models.Model):
    """The milligrams of an alloy in an account: the stored sum of its entries. `manage.py doctor` checks the sum."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="balances")
    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="balances")
    mg = models.BigIntegerField(default=0)
    below_zero = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "alloy"], name="metal_balance_once"),
            models.CheckConstraint(condition=Q(mg__gte=0) | Q(below_zero=True), name="metal_balance_not_below_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}/{self.alloy_id}: {self.mg}"


class Lot(models.Model):
    """A purchase of metal: its weight, supplier and document. `assay`: the fineness found, in tenths of a ‰.

    `left_mg`: what is left of the lot in the vault, stored as the sum of its entries; `manage.py doctor` checks it.
    `taken_mg`: what the last call of `lots.take_oldest` that used the lot took from it.
    """

    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="lots")
    received_mg = models.BigIntegerField()
    left_mg = models.BigIntegerField(default=0)
    taken_mg = models.BigIntegerField(default=0)
    supplier = models.CharField(max_length=200, db_collation=COLLATION)
    document = models.CharField(max_length=200, default="", blank=True)
    assay = models.PositiveIntegerField(null=True, blank=True)
    day = models.DateField()
    created_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="metal_lots")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(received_mg__gt=0), name="metal_lot_has_metal"),
            models.CheckConstraint(condition=Q(left_mg__gte=0), name="metal_lot_left_not_below_zero"),
            _assay_in_range("metal_lot_assay_in_range"),
            days_in_range("day", name="metal_lot_day_in_range"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-day", "-id"], name="metal_lot_by_day"),
            models.Index(fields=["alloy", "day", "id"], condition=Q(left_mg__gt=0), name="metal_lot_with_metal_left"),
        ]

    def __str__(self) -> str:
        return f"{self.supplier} {self.document}".strip()


class MetalEntry(models.Model):
    """Metal that moved from `source` to `target`. Entries never change: a new entry `reverses` a wrong one.

    - `made_at`: when a station made a movement that it reported later.
    - `record_id`: the id of the process record for the kinds in `OF_RECORDS`; of the melting for kind `melt`; of the
      refining for kind `refine`; of the closed day for kinds `close`, `dust` and `lost`; of the count of the vault for
      kind `adjust`, if a count made the entry.
    - `movement_id`: the entry or exit that the metal of the record moved with, also if it was weighed later. For a
      reversal: the movement that takes the metal back or weighs it again. Only the id is stored, because this package
      does not import movements; a movement is never deleted.
    - `line`: the account of the order line, if it is neither `source` nor `target`.
    - `person`: who holds or gives the metal.
    - `by`: who wrote the entry.
    """

    at = models.DateTimeField()
    made_at = models.DateTimeField(null=True, blank=True)
    source = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="given", db_index=False)
    target = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="taken", db_index=False)
    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="entries")
    lot = models.ForeignKey(Lot, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    mg = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in EntryKind])
    record_id = models.BigIntegerField(null=True, blank=True)
    movement_id = models.BigIntegerField(null=True, blank=True)
    batch_id = models.BigIntegerField(null=True, blank=True)
    line = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.PROTECT, related_name="of_line", db_index=False
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="metal_held"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="metal_written")
    reason = models.CharField(max_length=NOTES, default="", blank=True)
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    reverses = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(mg__gt=0), name="metal_entry_moves_metal"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="metal_entry_has_two_accounts"),
            models.CheckConstraint(
                condition=Q(reverses__isnull=True) | Q(kind="reversal"), name="metal_entry_that_reverses_says_so"
            ),
            models.CheckConstraint(
                condition=Q(record_id__isnull=True) | Q(movement_id__isnull=False) | ~Q(kind__in=_OF_RECORDS),
                name="metal_entry_of_a_record_names_its_movement",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["source", "-id"], name="metal_entry_by_source"),
            models.Index(fields=["target", "-id"], name="metal_entry_by_target"),
            models.Index(fields=["record_id"], condition=Q(record_id__isnull=False), name="metal_entry_by_record"),
            models.Index(
                fields=["movement_id"], condition=Q(movement_id__isnull=False), name="metal_entry_by_movement"
            ),
            models.Index(fields=["line"], condition=Q(line__isnull=False), name="metal_entry_by_line"),
            models.Index(fields=["batch_id"], condition=Q(batch_id__isnull=False), name="metal_entry_by_batch"),
            models.Index(fields=["at", "id"], name="metal_entry_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} → {self.target_id}: {self.mg}"

    @property
    def fineness(self) -> int:
        """The fineness of the metal, in tenths of a ‰: the assay of its lot, else that of the alloy."""
        return self.alloy.fineness if self.lot is None or self.lot.assay is None else self.lot.assay


class MetalDay(models.Model):
    """A closed day of a person at a process. `closing` counts the times that the day was closed, from 1.

    `reopened`: a movement of that day was reported after the closing, or somebody took the closing back. `reopened_by`
    and `reopened_at`: who took it back, and when; both are null if a movement reopened it. `reason`: why a count is far
    from the books. The row's id is the number of the slip. A closing is an issued paper: it stores the names of the
    people and the process, and the loss that the process allowed at the time.
    """

    process = models.ForeignKey(ProductionProcess, on_delete=models.PROTECT, related_name="metal_days")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="metal_days")
    day = models.DateField()
    closing = models.PositiveIntegerField(default=1)
    closed_at = models.DateTimeField()
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="closed_metal_days")
    reopened = models.BooleanField(default=False)
    reopened_at = models.DateTimeField(null=True, blank=True)
    reopened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reopened_metal_days",
    )
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    person_name = models.CharField(max_length=200, default="", blank=True)
    closed_by_name = models.CharField(max_length=200, default="", blank=True)
    process_name = models.CharField(max_length=200, default="", blank=True)
    allowed_loss = models.DecimalField(max_digits=5, decimal_places=1, null=True, blank=True)
    recovers = models.BooleanField(default=False)
    reason = models.CharField(max_length=NOTES, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["process", "person", "day", "closing"], name="metal_day_closing_once"),
            models.CheckConstraint(condition=Q(closing__gte=1), name="metal_day_closing_from_1"),
            days_in_range("day", name="metal_day_in_range"),
            models.CheckConstraint(
                condition=Q(reopened_at__isnull=True, reopened_by__isnull=True)
                | Q(reopened_at__isnull=False, reopened_by__isnull=False, reopened=True),
                name="metal_day_taken_back_as_a_whole",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["-day", "-id"], name="metal_day_by_day")]

    def __str__(self) -> str:
        return f"{self.day} {self.person_id}/{self.process_id}"

    @property
    def taken_back(self) -> bool:
        """Whether somebody took the closing back: its metal and dust are on the person's account again."""
        return self.reopened_at is not None

    @property
    def slip_number(self) -> int:
        return self.pk


class MetalDayAlloy(models.Model):
    """An alloy of a closed day: what the books said, what was counted, the dust that was swept, and what is missing.

    `difference_mg` is expected − counted − dust. It is negative if more was there than the books said. `received_mg`:
    what the person was given since the previous closing. `alloy_name` and `fineness` are as they were at the closing.
    """

    day = models.ForeignKey(MetalDay, on_delete=models.CASCADE, related_name="alloys")
    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="metal_days")
    expected_mg = models.BigIntegerField()
    counted_mg = models.BigIntegerField()
    dust_mg = models.BigIntegerField(default=0)
    difference_mg = models.BigIntegerField()
    received_mg = models.BigIntegerField(default=0)
    alloy_name = models.CharField(max_length=200, default="", blank=True)
    fineness = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["day", "alloy"], name="metal_day_alloy_once"),
            models.CheckConstraint(
                condition=Q(expected_mg__gte=0, counted_mg__gte=0, dust_mg__gte=0), name="metal_day_not_below_zero"
            ),
            models.CheckConstraint(
                condition=Q(difference_mg=F("expected_mg") - F("counted_mg") - F("dust_mg")),
                name="metal_day_difference_adds_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day_id}/{self.alloy_id}"


class MetalCount(models.Model):
    """A count of the vault by two people. It is never changed. The row's id is the number of the slip.

    `by`: who wrote it down.
    """

    at = models.DateTimeField()
    counted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="metal_counts")
    witness = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="witnessed_counts")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="written_counts")
    notes = models.CharField(max_length=NOTES, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(counted_by=F("witness")), name="metal_count_by_two_people"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["-at", "-id"], name="metal_count_by_time")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class MetalCountRow(models.Model):
    """What the books said and what was counted of an alloy and lot in the vault. It is never changed.

    `lot` null: metal without a lot. `alloy_name`, `fineness`: as they were at the count. `difference_mg` is expected −
    counted. `reason`: why the alloy differs, the same in all rows of the alloy.
    """

    count = models.ForeignKey(MetalCount, on_delete=models.PROTECT, related_name="rows")
    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="metal_counts")
    alloy_name = models.CharField(max_length=200)
    fineness = models.PositiveIntegerField()
    lot = models.ForeignKey(Lot, null=True, blank=True, on_delete=models.PROTECT, related_name="metal_counts")
    expected_mg = models.BigIntegerField()
    counted_mg = models.BigIntegerField()
    difference_mg = models.BigIntegerField()
    reason = models.CharField(max_length=NOTES, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["count", "lot"], name="metal_count_lot_once"),
            models.UniqueConstraint(
                fields=["count", "alloy"], condition=Q(lot__isnull=True), name="metal_count_alloy_without_lot_once"
            ),
            models.CheckConstraint(
                condition=Q(expected_mg__gte=0, counted_mg__gte=0), name="metal_count_not_below_zero"
            ),
            models.CheckConstraint(
                condition=Q(difference_mg=F("expected_mg") - F("counted_mg")), name="metal_count_difference_adds_up"
            ),
            models.CheckConstraint(
                condition=Q(difference_mg=0) | ~Q(reason=""), name="metal_count_difference_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count_id}: {self.alloy_name}"


class Refining(models.Model):
    """Dust and scrap sent to a refinery, and the metal that came back. `expected_fine_mg`: fine metal expected back."""

    partner = models.CharField(max_length=200, db_collation=COLLATION)
    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="refinings")
    sent_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="refinings")
    sent_mg = models.BigIntegerField()
    expected_fine_mg = models.BigIntegerField()
    returned_at = models.DateTimeField(null=True, blank=True)
    returned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="returned_refinings"
    )
    returned_mg = models.BigIntegerField(null=True, blank=True)
    returned_alloy = models.ForeignKey(
        Alloy, null=True, blank=True, on_delete=models.PROTECT, related_name="returned_refinings"
    )
    assay = models.PositiveIntegerField(null=True, blank=True)
    notes = models.CharField(max_length=NOTES, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
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
            _assay_in_range("refining_assay_in_range"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["-sent_at", "-id"], name="refining_by_time")]

    def __str__(self) -> str:
        return f"{self.partner} {self.sent_at:%Y-%m-%d}"


class RefiningShare(models.Model):
    """The metal that a process put into a refining. `process` null: the metal came from the scrap box."""

    refining = models.ForeignKey(Refining, on_delete=models.CASCADE, related_name="shares")
    process = models.ForeignKey(
        ProductionProcess, null=True, blank=True, on_delete=models.PROTECT, related_name="refining_shares"
    )
    mg = models.BigIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(mg__gt=0), name="refining_share_has_metal"),
        ]

    def __str__(self) -> str:
        return f"{self.refining_id}/{self.process_id}"


class Melting(models.Model):
    """Several alloys melted into one. The entries of kind `melt` with this id say what went in and came out.

    `reason` explains a difference in fine metal of more than a scale's step for each weighing.
    """

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="meltings")
    alloy = models.ForeignKey(Alloy, on_delete=models.PROTECT, related_name="meltings")
    mg = models.BigIntegerField()
    reason = models.CharField(max_length=NOTES, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(mg__gt=0), name="melting_has_metal"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["-at", "-id"], name="melting_by_time")]

    def __str__(self) -> str:
        return f"{self.alloy_id}: {self.mg}"

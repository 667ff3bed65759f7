"""Batches and the lines that are put on them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from project.batches import rules
from project.batches.rules import BatchState
from project.catalogs.models import Alloy, ProductionProcess
from project.core.versions import Versioned
from project.orders.models import NOTES, Line

_PERSON = settings.AUTH_USER_MODEL
LONGEST_NAME = 40


def _weight() -> models.BigIntegerField:
    """Return a field for a weight in milligrams; null while nobody has weighed it."""
    return models.BigIntegerField(null=True, blank=True)


class Batch(Versioned):
    """Pieces of several lines that enter a process together and leave it together.

    Weights are of the whole batch. `added_mg` is solder and the like, `scrap_mg` sprues and the button.
    """

    number = models.PositiveIntegerField(unique=True)
    name = models.CharField(max_length=LONGEST_NAME, default="", db_default="", blank=True)
    process = models.ForeignKey(ProductionProcess, on_delete=models.PROTECT, related_name="batches")
    alloy = models.ForeignKey(Alloy, null=True, blank=True, on_delete=models.PROTECT, related_name="batches")
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    wax_mg = _weight()
    button_mg = _weight()
    issued_mg = _weight()
    added_mg = _weight()
    good_mg = _weight()
    scrap_mg = _weight()
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="batches_made")
    entered_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        _PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="batches_closed"
    )

    # Annotated by `selectors.batch_list`.
    lines_count: int
    pieces: int
    # Set by `selectors.batch_get` and `cards`: its lines in their order.
    loaded_lines: list["BatchLine"]

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(number__gte=1), name="batch_number_from_1"),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{name}_mg__isnull": True}) | Q(**{f"{name}_mg__gte": 0}),
                    name=f"batch_{name}_not_negative",
                )
                for name in ("wax", "button", "issued", "added", "good", "scrap")
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True) | Q(entered_at__isnull=False, left_at__gte=F("entered_at")),
                name="batch_leaves_after_it_entered",
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_by__isnull=True)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
                name="batch_closed_has_a_person",
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(entered_at__isnull=True) | Q(left_at__isnull=False),
                name="batch_closed_has_nothing_inside",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["process", "id"], condition=Q(closed_at__isnull=True), name="batch_not_closed"),
        ]

    def __str__(self) -> str:
        return f"#{self.number} {self.name}".rstrip()

    @property
    def state(self) -> BatchState:
        """The state, which follows from the times at which the batch entered, left and was closed."""
        if self.closed_at is not None:
            return BatchState.closed
        if self.left_at is not None:
            return BatchState.out
        return BatchState.open if self.entered_at is None else BatchState.inside

    @property
    def wanted_mg(self) -> int | None:
        """The metal to weigh for the tree; None while its wax or its alloy is unknown."""
        return rules.wanted_mg(self.wax_mg, self.alloy.wax_ratio if self.alloy else None, self.button_mg)


class BatchLine(models.Model):
    """Pieces of a line on a batch, in the order of `place`. Their movements are in the records of the line.

    `issued_mg`: the line's share of the metal that was issued for the batch.
    """

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="lines", db_index=False)
    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="batch_lines")
    quantity = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    issued_mg = _weight()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["batch", "line"], name="batch_line_once"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="batch_line_quantity_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}/{self.line_id}"

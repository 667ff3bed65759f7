"""Sales orders, lines, and the process records that are a line's history."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Coalesce

from project.catalogs.models import (
    Alloy,
    Customer,
    Item,
    ItemComponent,
    PriceUnit,
    ProductionProcess,
    ReleaseReason,
    ScrapReason,
    Weighs,
)
from project.core.constraints import days_in_range
from project.core.models import IdempotentAnswer
from project.core.pictures import Pictured
from project.core.searching import searched
from project.core.spanish import COLLATION, NameKey
from project.core.versions import Versioned
from project.metal.models import Lot
from project.metal.rules import loss, loss_per_mille
from project.orders.reported_later import Stay
from project.orders.rules import (
    COMPLETED,
    FINISHED,
    LINE_STATUSES,
    CallKind,
    MovementSide,
    PressKind,
    Status,
    is_rework,
    quantity_done,
)

NOTES = 200
NO_DATE = date(9999, 12, 31)
"""Replaces a missing delivery date, so that lines without one sort last."""
OPEN = Q(output_at__isnull=True, released_at__isnull=True)
"""Records with pieces inside their process now."""
CLOSED = Q(output_at__isnull=False, released_at__isnull=True)
"""Unreleased records with an exit: the pieces left the process."""
LEFT_TO_PAY = CLOSED & Q(price__isnull=False, quantity_paid__lt=F("quantity"))
"""Records with an exit that earns a price and is not fully paid yet."""
UNWEIGHED = Q(price_unit=PriceUnit.gram, mg_out__isnull=True, mg_scrap__isnull=True)
"""Records that are paid by the gram but were not weighed: what they earn is not known yet."""
MG_LEFT = Coalesce("mg_out", "mg_scrap")
"""What the pieces of an exit weighed, as `ProcessRecord.mg_left`."""
GOOD = F("quantity") - F("quantity_scrapped") + F("quantity_replaced")
"""The pieces of a line that may be Done and billed: without scrapped ones, with those made in their place."""
SCRAPPED = Q(scrap_reason__isnull=False)
"""Records with an exit as scrap. Some were released since."""


class SalesOrder(Versioned):
    """A customer's order.

    `status` is derived from the lines by `movements.refresh_orders`, and stored so that lists can filter by it.
    """

    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="sales_orders")
    customer_sales_order_id = models.CharField(max_length=NOTES, db_collation=COLLATION)
    sales_order_date = models.DateField()
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    status = models.CharField(max_length=20, choices=[(s.value, s.value) for s in Status], default=Status.New)
    creation_date = models.DateTimeField()
    search_text = searched("customer_sales_order_id")

    # Set by `selectors.order_get`: the lines by position, and the `summaries.Summaries` of the order and its products.
    loaded_lines: list["Line"]
    loaded_summaries: Any

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                NameKey("customer_sales_order_id"), "customer", name="sales_order_po_once_per_customer"
            ),
            days_in_range("sales_order_date", name="sales_order_date_in_range"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["sales_order_date", "id"], name="sales_order_by_date"),
            models.Index(fields=["status", "id"], name="sales_order_by_status"),
            # The dashboard counts and lists orders from this index alone.
            models.Index(fields=["status", "sales_order_date", "id"], name="sales_order_by_status_and_date"),
            models.Index(fields=["customer_sales_order_id", "id"], name="sales_order_by_po"),
            # Serves a search for the exact PO#.
            models.Index(fields=["search_text"], name="sales_order_by_searched"),
        ]

    def __str__(self) -> str:
        return self.customer_sales_order_id


class Line(Versioned, Pictured):
    """A numbered line (position) of an order, optionally with its own picture.

    `quantity_inside`: the pieces inside processes. `quantity_scrapped`: the pieces that left a process as lost.
    `quantity_replaced`: how many of the scrapped pieces are made again. Constraints of the database keep these numbers
    within the pieces to be made.
    """

    folder = "lines"

    # Needs no index of its own: the index of `line_position_once` begins with it.
    order = models.ForeignKey(SalesOrder, on_delete=models.CASCADE, related_name="lines", db_index=False)
    position = models.PositiveIntegerField()
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="lines")
    quantity = models.PositiveIntegerField()
    quantity_inside = models.IntegerField(default=0)
    quantity_billed = models.IntegerField(default=0)
    quantity_scrapped = models.IntegerField(default=0, db_default=0)
    quantity_replaced = models.IntegerField(default=0, db_default=0)
    status = models.CharField(max_length=20, choices=[(s.value, s.value) for s in LINE_STATUSES], default=Status.New)
    shipment_date = models.DateField(null=True, blank=True)
    delivery_date = models.DateField(null=True, blank=True)
    # Sort key of line lists. Never null, so that keyset paging can use its index.
    due = models.GeneratedField(
        expression=Coalesce(F("delivery_date"), Value(NO_DATE)),
        output_field=models.DateField(),
        db_persist=True,
    )
    # Sort key like `due`, but finished lines come last. A line is late (`rules.is_late`) if this is before today.
    urgency = models.GeneratedField(
        expression=Case(
            When(status__in=[str(status) for status in FINISHED], then=Value(NO_DATE)),
            default=Coalesce(F("delivery_date"), Value(NO_DATE)),
            output_field=models.DateField(),
        ),
        output_field=models.DateField(),
        db_persist=True,
    )
    shipping_date = models.DateField(null=True, blank=True)
    # The day that the forecast offered when the line was written; the delivery date is the day that was chosen.
    offered_date = models.DateField(null=True, blank=True)
    # The first delivery date that was written. It stays when the delivery date is moved.
    promised_date = models.DateField(null=True, blank=True)
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    creation_date = models.DateTimeField()
    # When the line became Done; null unless it is Done or Invoiced.
    done_at = models.DateTimeField(null=True, blank=True)
    # The milligrams that the line's own metal account holds; null until a piece was weighed.
    metal_mg = models.BigIntegerField(null=True, blank=True)
    # The newest call that nobody comes for (`project.talk`): the id of its message, its kind and when it was made.
    call_id = models.BigIntegerField(null=True, blank=True)
    call_kind = models.CharField(
        max_length=10, choices=[(kind.value, kind.value) for kind in CallKind], default="", db_default="", blank=True
    )
    call_at = models.DateTimeField(null=True, blank=True)

    # Set by `selectors.line_get` and `order_get`: the line's records, newest first, and its product's components.
    loaded_records: list["ProcessRecord"]
    loaded_components: list[ItemComponent]

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["order", "position"], name="line_position_once"),
            models.CheckConstraint(condition=Q(position__gte=1), name="line_position_from_1"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="line_quantity_positive"),
            models.CheckConstraint(
                condition=Q(quantity_inside__gte=0, quantity_inside__lte=GOOD),
                name="line_pieces_inside_fit_the_line",
            ),
            models.CheckConstraint(
                condition=Q(quantity_replaced__gte=0, quantity_replaced__lte=F("quantity_scrapped")),
                name="line_replaces_scrapped_pieces",
            ),
            models.CheckConstraint(
                condition=Q(quantity_billed__gte=0, quantity_billed__lte=GOOD),
                name="line_pieces_billed_fit_the_line",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=COMPLETED, quantity_inside__gt=0),
                name="line_done_has_nothing_inside",
            ),
            # A line with billed pieces stays Done or Invoiced, so that it can never be canceled.
            models.CheckConstraint(
                condition=Q(quantity_billed=0) | Q(status__in=COMPLETED),
                name="line_with_billed_pieces_is_done",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.Invoiced, quantity_billed=GOOD)
                | (~Q(status=Status.Invoiced) & (Q(quantity_billed__lt=GOOD) | Q(quantity_billed=0))),
                name="line_invoiced_is_billed_whole",
            ),
            days_in_range("shipment_date", "delivery_date", "shipping_date", name="line_dates_in_range"),
            days_in_range("offered_date", name="line_offered_date_in_range"),
            models.CheckConstraint(
                condition=Q(call_id__isnull=True, call_kind="", call_at__isnull=True)
                | (Q(call_id__isnull=False, call_at__isnull=False) & ~Q(call_kind="")),
                name="line_call_is_whole",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["due", "id"], name="line_by_due"),
            models.Index(fields=["urgency", "id"], name="line_by_urgency"),
            models.Index(fields=["status", "delivery_date"], name="line_by_status"),
            # Lets a search for a rare position read only the lines that have it.
            models.Index(fields=["position", "-order"], name="line_by_position"),
            # Finds the last finished lines of a product, which teach its way.
            models.Index(
                fields=["item", "-id"],
                condition=Q(status__in=COMPLETED),
                name="line_finished_by_item",
            ),
            # Finds the newest finished lines, from which forecasts are made.
            models.Index(fields=["-done_at"], condition=Q(done_at__isnull=False), name="line_by_done"),
            models.Index(fields=["call_at"], condition=Q(call_at__isnull=False), name="line_by_call"),
        ]

    def __str__(self) -> str:
        return f"{self.order_id}/{self.position}"

    @property
    def quantity_done(self) -> int:
        return quantity_done(self.status, self.quantity_good)

    @property
    def quantity_to_make(self) -> int:
        """The pieces ordered, and those made again for scrapped ones."""
        return self.quantity + self.quantity_replaced

    @property
    def quantity_good(self) -> int:
        """The pieces that may be Done and billed."""
        return self.quantity_to_make - self.quantity_scrapped

    @property
    def quantity_free(self) -> int:
        """The pieces outside all processes, without scrapped ones."""
        return self.quantity_good - self.quantity_inside

    @property
    def pictured(self) -> Pictured:
        """The record that provides the line's picture: the line if it has its own, else its product."""
        return self if self.image else self.item


class Forecast(models.Model):
    """The newest forecast of an unfinished line, made by `project.forecasts` (infra/docs/rules.md#forecast).

    `p10`, `p50`, `p80`, `p90`: the days by which the line is done with a chance of 10, 50, 80 and 90 %; null if `why`
    says why there is no forecast. `p10` is also null in rows of a release that had no `p10`. `due`: the line's delivery
    date when the forecast was made. `on_time`: the chance, from 0 to 1, that the line is done by `due`. `late_percent`:
    the chance in percent that the line is not done by `due`; -1 if not known. `likely_late`: the bell rings for the
    line (`forecasts.rules`). `basis`: how many lines the forecast rests on.
    """

    # No foreign key in the database: storing a row would lock its line, and a movement of the line would wait.
    line = models.OneToOneField(
        Line, on_delete=models.CASCADE, primary_key=True, related_name="forecast", db_constraint=False
    )
    made_at = models.DateTimeField()
    p10 = models.DateField(null=True, blank=True)
    p50 = models.DateField(null=True, blank=True)
    p80 = models.DateField(null=True, blank=True)
    p90 = models.DateField(null=True, blank=True)
    due = models.DateField(null=True, blank=True)
    on_time = models.FloatField(null=True, blank=True)
    late_percent = models.SmallIntegerField(default=-1)
    basis = models.PositiveIntegerField(default=0)
    why = models.CharField(max_length=20, default="", blank=True)
    # Since when each forecast has said that the line will probably be late; null if the last one did not.
    doubtful_since = models.DateTimeField(null=True, blank=True)
    likely_late = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(
                    why="",
                    p50__isnull=False,
                    p80__isnull=False,
                    p90__isnull=False,
                    p80__gte=F("p50"),
                    p90__gte=F("p80"),
                )
                | (~Q(why="") & Q(p50__isnull=True, p80__isnull=True, p90__isnull=True, likely_late=False)),
                name="forecast_has_its_days_or_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(on_time__isnull=True) | Q(on_time__gte=0, on_time__lte=1, due__isnull=False),
                name="forecast_chance_is_one_of_a_day",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["line"], condition=Q(likely_late=True), name="forecast_likely_late"),
        ]

    def __str__(self) -> str:
        return f"{self.line_id}: {self.p80 or self.why}"


class Press(models.Model):
    """One act of a person that moved pieces of one or more lines, or took pieces back. Never changes.

    `kept`: the `Idempotency-Key` of the request; null if it had none. `at`: when the person pressed. `received_at`:
    when the server received a press that a station reported later; null if it was sent at once. `station`: the account
    of the station where an operator pressed. `batch_id`: the batch that moved as a whole. `lines`: how many lines
    moved.
    """

    id = models.UUIDField(primary_key=True, default=uuid4)
    kept = models.OneToOneField(
        IdempotentAnswer, null=True, blank=True, on_delete=models.RESTRICT, related_name="press"
    )
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in PressKind])
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="presses")
    at = models.DateTimeField()
    received_at = models.DateTimeField(null=True, blank=True)
    # Needs no index of its own: nothing looks for the presses of a station's account.
    station = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.RESTRICT, related_name="+", db_index=False
    )
    batch_id = models.BigIntegerField(null=True, blank=True, db_index=True)
    lines = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Movement(models.Model):
    """What a press did with pieces of one line in one process. Written once: the database refuses to change it.

    Only a transaction that erases a person's names (`audit.Exemption`) may change its free texts.

    `process`: null if pieces are made again (`replace`). `pieces`: how many moved. A scrap has `scrap_reason` and
    `photo`, a release has `release_reason`. Weights are those given with the press, in milligrams. `mg`: the pieces
    with their stones, without their tray (`mg_tare`). `mg_in`: the weight at entry, only of a later weight.
    `added_alloy`: the alloy of `mg_added`, if it was named. `lot`: where metal from the vault came from, if it was
    named. `price`: what the exit earns for each piece or gram. `takes_back`: the movement that this one takes back,
    only for `record` or, if `record` is null, whole. A later weight also has its record in `record`.
    """

    press = models.ForeignKey(Press, on_delete=models.CASCADE, related_name="movements")
    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="movements", db_index=False)
    process = models.ForeignKey(
        ProductionProcess, null=True, blank=True, on_delete=models.RESTRICT, related_name="movements", db_index=False
    )
    side = models.CharField(max_length=7, choices=[(side.value, side.value) for side in MovementSide])
    pieces = models.PositiveIntegerField()
    at = models.DateTimeField()
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    scrap_reason = models.ForeignKey(
        ScrapReason, null=True, blank=True, on_delete=models.RESTRICT, related_name="movements"
    )
    release_reason = models.ForeignKey(
        ReleaseReason, null=True, blank=True, on_delete=models.RESTRICT, related_name="movements"
    )
    photo = models.CharField(max_length=200, default="", blank=True)
    mg_in = models.BigIntegerField(null=True, blank=True)
    mg = models.BigIntegerField(null=True, blank=True)
    mg_other = models.BigIntegerField(null=True, blank=True)
    mg_added = models.BigIntegerField(null=True, blank=True)
    mg_scrap = models.BigIntegerField(null=True, blank=True)
    mg_tare = models.BigIntegerField(null=True, blank=True)
    alloy = models.ForeignKey(
        Alloy, null=True, blank=True, on_delete=models.RESTRICT, related_name="movements", db_index=False
    )
    added_alloy = models.ForeignKey(
        Alloy, null=True, blank=True, on_delete=models.RESTRICT, related_name="+", db_index=False
    )
    lot = models.ForeignKey(Lot, null=True, blank=True, on_delete=models.RESTRICT, related_name="+", db_index=False)
    weight_reason = models.CharField(max_length=NOTES, default="", blank=True)
    price = models.DecimalField(max_digits=17, decimal_places=7, null=True, blank=True)
    price_unit = models.CharField(
        max_length=5, choices=[(unit.value, unit.value) for unit in PriceUnit], default=PriceUnit.piece
    )
    takes_back = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="taken_back_by", db_index=False
    )
    record = models.ForeignKey(
        "ProcessRecord", null=True, blank=True, on_delete=models.CASCADE, related_name="later_movements"
    )

    # Annotated by `selectors.movements`.
    by_name: str
    first_record: int
    taken_back_pieces: int

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(pieces__gte=1), name="movement_moves_pieces"),
            models.CheckConstraint(
                condition=Q(side=MovementSide.remake.value, process__isnull=True)
                | (~Q(side=MovementSide.remake.value) & Q(process__isnull=False)),
                name="movement_is_at_a_process",
            ),
            models.UniqueConstraint(fields=["takes_back", "record"], name="movement_taken_back_once"),
            models.UniqueConstraint(
                fields=["takes_back"], condition=Q(record__isnull=True), name="movement_of_no_record_taken_back_once"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["line", "at", "id"], name="movement_by_line"),
            # Finds the last movements at a process, and those of a day.
            models.Index(fields=["process", "-at", "-id"], name="movement_by_process"),
            models.Index(fields=["at", "id"], name="movement_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.side} {self.line_id}/{self.process_id}"


class ProcessRecord(models.Model):
    """Pieces of a line that entered a process, and perhaps left it or were released. A release deletes no data.

    `entry`, `exit` and `released`: the movements that brought the pieces in, took them out, and took the entry back.
    """

    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="records")
    process = models.ForeignKey(ProductionProcess, on_delete=models.PROTECT, related_name="records")
    quantity = models.PositiveIntegerField()
    entry = models.ForeignKey(Movement, null=True, blank=True, on_delete=models.PROTECT, related_name="entered_records")
    exit = models.ForeignKey(Movement, null=True, blank=True, on_delete=models.PROTECT, related_name="left_records")
    # Needs no index of its own: nothing looks for the records of a release.
    released = models.ForeignKey(
        Movement, null=True, blank=True, on_delete=models.PROTECT, related_name="released_records", db_index=False
    )
    input_at = models.DateTimeField()
    input_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entered_records")
    output_at = models.DateTimeField(null=True, blank=True)
    output_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="left_records"
    )
    released_at = models.DateTimeField(null=True, blank=True)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="released_records",
    )
    # The reason of the last release, of the whole record or of its exit alone.
    release_reason = models.ForeignKey(
        ReleaseReason, null=True, blank=True, on_delete=models.PROTECT, related_name="records"
    )
    # When the last of its exits was taken back while the entry stayed: its pieces have been inside again since then.
    reopened_at = models.DateTimeField(null=True, blank=True)
    # The exit was a loss: the pieces left the process as scrap, for this reason.
    scrapped = models.BooleanField(default=False, db_default=False)
    # Needs no index of its own: `record_scrapped` has the few records with a reason.
    scrap_reason = models.ForeignKey(
        ScrapReason, null=True, blank=True, on_delete=models.PROTECT, related_name="records", db_index=False
    )
    # The stored name of a photo of the scrapped pieces. It stays if the scrap is taken back.
    photo = models.CharField(max_length=200, default="", db_default="", blank=True)
    # What the exit earns for each piece or gram; null while the pieces are inside, and for scrap that is not paid.
    price = models.DecimalField(max_digits=17, decimal_places=7, null=True, blank=True)
    price_unit = models.CharField(
        max_length=5,
        choices=[(unit.value, unit.value) for unit in PriceUnit],
        default=PriceUnit.piece,
        db_default=PriceUnit.piece.value,
    )
    quantity_paid = models.IntegerField(default=0)
    # Milligrams of metal without stones; `mg_other`: of the stones. Null if nobody weighed it.
    mg_in = models.BigIntegerField(null=True, blank=True)
    mg_out = models.BigIntegerField(null=True, blank=True)
    mg_other = models.BigIntegerField(null=True, blank=True)
    mg_scrap = models.BigIntegerField(null=True, blank=True)
    mg_added = models.BigIntegerField(null=True, blank=True)
    alloy = models.ForeignKey(
        Alloy, null=True, blank=True, on_delete=models.PROTECT, related_name="records", db_index=False
    )
    # Of `mg_added`, if it was named.
    added_alloy = models.ForeignKey(
        Alloy, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    # The metal that was missing at the entry since the last weighing; below 0 if there was more. Null if the scale's
    # steps explain it.
    mg_between = models.BigIntegerField(null=True, blank=True)
    # Why more was lost than is allowed, why more left than entered, or why metal was missing at the entry.
    weight_reason = models.CharField(max_length=NOTES, default="", db_default="", blank=True)
    # More was lost than the process allowed at the weighing, or `mg_between` is known; nobody has signed for it yet.
    loss_to_sign = models.BooleanField(default=False, db_default=False)
    loss_signed_at = models.DateTimeField(null=True, blank=True)
    # Needs no index of its own: `record_loss_signed` has the few records with a signature.
    loss_signed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="signed_losses",
        db_index=False,
    )
    # How many milligrams of `mg_left` are paid, if the exit is paid by the gram.
    mg_paid = models.BigIntegerField(default=0, db_default=0)

    # Annotated by `selectors.records_of`, which reads no whole rows of other tables for them. Code that creates a
    # record or sets its users must also set the names.
    process_name: str
    process_price: Decimal
    process_allowed_loss: Decimal | None = None
    process_weighs: str = Weighs.no.value
    process_gains: bool = False
    input_by_name: str
    output_by_name: str | None = None
    released_by_name: str | None = None
    release_reason_key: str | None = None
    scrap_reason_key: str | None = None
    loss_signed_by_name: str | None = None
    # Of the movements that the record names.
    input_notes: str | None = None
    input_received_at: datetime | None = None
    output_notes: str | None = None
    output_received_at: datetime | None = None
    release_notes: str | None = None
    released_kind: str | None = None
    entry_press: UUID | None = None
    entry_lines: int | None = None
    exit_press: UUID | None = None
    exit_lines: int | None = None
    # Set by `selectors.load_past_exits` if the record was reopened.
    loaded_past_exits: "list[PastExit]"

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="record_quantity_positive"),
            models.CheckConstraint(
                condition=Q(output_at__isnull=True) | Q(output_at__gte=F("input_at")),
                name="record_exit_not_before_entry",
            ),
            models.CheckConstraint(
                condition=Q(output_at__isnull=True, output_by__isnull=True)
                | Q(output_at__isnull=False, output_by__isnull=False),
                name="record_exit_has_a_person",
            ),
            models.CheckConstraint(
                condition=Q(released_at__isnull=True, released_by__isnull=True)
                | Q(released_at__isnull=False, released_by__isnull=False),
                name="record_release_has_a_person",
            ),
            models.CheckConstraint(
                condition=Q(quantity_paid__gte=0, quantity_paid__lte=F("quantity")),
                name="record_pieces_paid_fit_the_record",
            ),
            models.CheckConstraint(
                condition=Q(quantity_paid=0) | CLOSED,
                name="record_paid_has_left_and_stands",
            ),
            models.CheckConstraint(
                condition=Q(mg_paid=0)
                | (
                    (Q(mg_out__isnull=False) | Q(mg_scrap__isnull=False))
                    & Q(price_unit=PriceUnit.gram, mg_paid__gt=0, mg_paid__lte=MG_LEFT)
                ),
                name="record_grams_paid_fit_the_weight",
            ),
            models.CheckConstraint(
                condition=Q(scrapped=False, scrap_reason__isnull=True)
                | Q(scrapped=True, scrap_reason__isnull=False, output_at__isnull=False),
                name="record_scrap_has_left_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(price__isnull=True) | Q(price__gte=0),
                name="record_price_not_negative",
            ),
            models.CheckConstraint(
                condition=(Q(alloy__isnull=False) | Q(mg_in__isnull=True, mg_out__isnull=True, mg_scrap__isnull=True))
                # Null passes: a check refuses only what is false.
                & Q(mg_in__gte=0, mg_out__gte=0, mg_other__gte=0, mg_scrap__gte=0, mg_added__gte=0),
                name="record_weights_are_of_an_alloy",
            ),
            models.CheckConstraint(
                condition=Q(loss_signed_at__isnull=True, loss_signed_by__isnull=True)
                | Q(loss_signed_at__isnull=False, loss_signed_by__isnull=False, loss_to_sign=False),
                name="record_loss_is_signed_by_a_person",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["process", "line"],
                condition=Q(output_at__isnull=True, released_at__isnull=True),
                name="record_open_by_process",
            ),
            # Finds the oldest pieces inside of a line.
            models.Index(fields=["line", "input_at", "id"], condition=OPEN, name="record_open_by_line"),
            models.Index(fields=["line", "-input_at", "-id"], name="record_by_line"),
            models.Index(fields=["output_at", "id"], condition=CLOSED, name="record_closed"),
            models.Index(fields=["output_at", "id"], condition=LEFT_TO_PAY, name="record_left_to_pay"),
            # Covers the sums of a person's earnings, so that they read the index alone.
            models.Index(
                fields=["output_by", "output_at", "quantity", "price", "price_unit", "mg_out", "mg_scrap"],
                condition=CLOSED,
                name="record_closed_by_person",
            ),
            models.Index(
                fields=[
                    *("output_by", "output_at", "id", "quantity", "quantity_paid", "price"),
                    *("price_unit", "mg_out", "mg_scrap", "mg_paid"),
                ],
                condition=LEFT_TO_PAY,
                name="record_left_to_pay_by_person",
            ),
            # Serves the report of scrap.
            models.Index(fields=["output_at", "scrap_reason"], condition=SCRAPPED, name="record_scrapped"),
            models.Index(fields=["line"], condition=Q(loss_to_sign=True), name="record_loss_to_sign"),
            models.Index(
                fields=["loss_signed_by"], condition=Q(loss_signed_by__isnull=False), name="record_loss_signed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_id}/{self.process_id}"

    @property
    def open(self) -> bool:
        """Whether the pieces are inside the process now."""
        return self.output_at is None and self.released_at is None

    @property
    def undone(self) -> bool:
        """Whether the release was an undo: the user took their own press back within minutes."""
        return self.released_kind == PressKind.undo

    @property
    def reworked(self) -> bool:
        """Whether the pieces were released to be made again, and not because of a mistake."""
        return self.released_at is not None and is_rework(self.release_reason_key)

    @property
    def mg_left(self) -> int | None:
        """The metal of the pieces that left, in milligrams. Scrapped pieces have only `mg_scrap`."""
        return self.mg_scrap if self.mg_out is None else self.mg_out

    @property
    def mg_lost(self) -> int | None:
        """The loss of metal: in + added − out − scrap. None unless entry and exit were weighed."""
        left = 0 if self.scrapped and self.mg_scrap is not None else self.mg_out
        return loss(self.mg_in, left, scrap=self.mg_scrap or 0, added=self.mg_added or 0)

    @property
    def lost_per_mille(self) -> Decimal | None:
        """The loss, in per mille of the metal that entered or was added. None unless entry and exit were weighed."""
        return None if self.mg_lost is None else loss_per_mille(self.mg_lost, self.mg_came)

    @property
    def mg_came(self) -> int:
        """The metal that entered or was added."""
        return (self.mg_in or 0) + (self.mg_added or 0)

    @property
    def past(self) -> "list[PastExit]":
        """The exits that were taken back while the entry stayed, in order."""
        return [] if self.reopened_at is None else self.loaded_past_exits

    @property
    def inside_since(self) -> datetime:
        """Since when the pieces are inside, or were inside before they left."""
        return self.reopened_at or self.input_at

    @property
    def stays(self) -> list[Stay]:
        """The periods in which the pieces were inside: one from the entry, and one from each release of an exit."""
        found, since = [], self.input_at
        for past in self.past:
            until = max(since, past.movement.at)
            found.append(Stay(since, until, self.quantity))
            # If the clock was set back, the release may be stamped before the exit.
            since = max(until, past.taken_back.at)
        return [*found, Stay(since, self.output_at or self.released_at, self.quantity)]


class PastExit(models.Model):
    """An exit of a record (`movement`) that was taken back. If the record is split, each part has its own row."""

    record = models.ForeignKey(ProcessRecord, on_delete=models.CASCADE, related_name="past_exits", db_index=False)
    movement = models.ForeignKey(Movement, on_delete=models.CASCADE, related_name="past_exits", db_index=False)
    # Needs no index of its own: nothing looks for the exits that a movement took back.
    taken_back = models.ForeignKey(Movement, on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["record", "movement"], name="past_exit_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["movement"], name="past_exit_by_movement")]

    def __str__(self) -> str:
        return f"{self.record_id} left by {self.movement_id}"


class ChangedDay(models.Model):
    """A day of the plant with figures that must be computed again.

    An exit of that day was released, undone or reported later. The row is written in the transaction of the change, and
    deleted once the figures of the day are computed again.
    """

    day = models.DateField(db_index=True)

    def __str__(self) -> str:
        return self.day.isoformat()

"""Payments of piece work, and their items."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from project.catalogs.models import PriceUnit
from project.core.constraints import days_in_range
from project.core.money import plant_currency
from project.core.versions import Versioned
from project.orders.models import NOTES, ProcessRecord
from project.piecework.issued import ItemTexts, PaymentTexts
from project.piecework.rules import PaymentStatus

_PERSON = settings.AUTH_USER_MODEL


def _kept_name() -> models.CharField:
    """Return a field for the name that a person had when the payment was made or canceled."""
    return models.CharField(max_length=700, default="", db_default="", blank=True)


class Payment(Versioned):
    """A payment of pieces, for one person or several. A canceled payment stays, with who canceled it, when and why.

    `issued`, `logo` and the names of people are copied from other records when the payment is made or canceled. They do
    not change when those records change.
    """

    status = models.CharField(
        max_length=10, choices=[(s.value, s.value) for s in PaymentStatus], default=PaymentStatus.Paid
    )
    date = models.DateField()
    payee = models.ForeignKey(_PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="payments")
    payee_name = _kept_name()
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    total = models.DecimalField(max_digits=18, decimal_places=3)
    created_by = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="made_payments")
    created_by_name = _kept_name()
    created_at = models.DateTimeField()
    cancel_notes = models.CharField(max_length=NOTES, default="", blank=True)
    canceled_by = models.ForeignKey(
        _PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="canceled_payments"
    )
    canceled_by_name = _kept_name()
    canceled_at = models.DateTimeField(null=True, blank=True)
    issued = models.JSONField(null=True)
    logo = models.CharField(max_length=200, default="", db_default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            days_in_range("date", name="payment_date_in_range"),
            models.CheckConstraint(condition=Q(total__gte=0), name="payment_total_not_negative"),
            models.CheckConstraint(
                condition=Q(
                    status=PaymentStatus.Paid, canceled_by__isnull=True, canceled_at__isnull=True, cancel_notes=""
                )
                | Q(
                    Q(status=PaymentStatus.Canceled, canceled_by__isnull=False, canceled_at__isnull=False),
                    ~Q(cancel_notes=""),
                ),
                name="payment_canceled_by_somebody_for_a_reason",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["date", "id"], name="payment_by_date"),
            models.Index(fields=["payee", "date", "id"], name="payment_by_payee"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"

    @property
    def texts(self) -> PaymentTexts:
        """The texts of other records that the payment shows."""
        return PaymentTexts(**self.issued) if self.issued else PaymentTexts(payer="", currency=plant_currency())


class PaymentItem(models.Model):
    """Pieces of one process record that a payment pays. `earner`: the user who took them out, stored for sums.

    `price`: of a piece, or of a gram if `mg`, the pieces' weight in milligrams, is set. `issued`, `earner_name` and
    `customer_sales_order_id` are copied from other records when the payment is made.
    """

    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, related_name="items")
    record = models.ForeignKey(ProcessRecord, on_delete=models.PROTECT, related_name="payment_items")
    earner = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="earned_items", db_index=False)
    earner_name = _kept_name()
    quantity = models.PositiveIntegerField()
    price = models.DecimalField(max_digits=17, decimal_places=7)
    mg = models.BigIntegerField(null=True, blank=True)
    amount = models.DecimalField(max_digits=18, decimal_places=3)
    customer_sales_order_id = models.CharField(max_length=NOTES, default="", db_default="", blank=True)
    issued = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["payment", "record"], name="payment_item_record_once"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="payment_item_quantity_positive"),
            models.CheckConstraint(condition=Q(price__gte=0), name="payment_item_price_not_negative"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="payment_item_amount_not_negative"),
            models.CheckConstraint(condition=Q(mg__isnull=True) | Q(mg__gte=0), name="payment_item_grams_not_negative"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["earner", "payment", "amount"], name="payment_item_by_earner"),
        ]

    def __str__(self) -> str:
        return f"{self.payment_id}/{self.record_id}"

    @property
    def unit(self) -> PriceUnit:
        """The unit of `price`."""
        return PriceUnit.piece if self.mg is None else PriceUnit.gram

    @property
    def texts(self) -> ItemTexts:
        """The texts of the record's product and process that the item shows."""
        return ItemTexts(**self.issued) if self.issued else ItemTexts.of(self.record)

"""Payments of piece work, and the records that each pays."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from project.core.constraints import days_in_range
from project.core.versions import Versioned
from project.orders.models import NOTES, ProcessRecord
from project.piecework.rules import PaymentStatus

_PERSON = settings.AUTH_USER_MODEL


class Payment(Versioned):
    """What was paid at once, for one person or many. A canceled one stays, with who, when and why."""

    status = models.CharField(
        max_length=10, choices=[(s.value, s.value) for s in PaymentStatus], default=PaymentStatus.Paid
    )
    date = models.DateField()
    payee = models.ForeignKey(_PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="payments")
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    total = models.DecimalField(max_digits=18, decimal_places=3)
    created_by = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="made_payments")
    created_at = models.DateTimeField()
    cancel_notes = models.CharField(max_length=NOTES, default="", blank=True)
    canceled_by = models.ForeignKey(
        _PERSON, null=True, blank=True, on_delete=models.PROTECT, related_name="canceled_payments"
    )
    canceled_at = models.DateTimeField(null=True, blank=True)

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


class PaymentItem(models.Model):
    """Pieces of one process record that a payment pays. `earner`, who took them out, is kept to be summed by."""

    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, related_name="items")
    record = models.ForeignKey(ProcessRecord, on_delete=models.PROTECT, related_name="payment_items")
    earner = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="earned_items", db_index=False)
    quantity = models.PositiveIntegerField()
    price = models.DecimalField(max_digits=17, decimal_places=7)
    amount = models.DecimalField(max_digits=18, decimal_places=3)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["payment", "record"], name="payment_item_record_once"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="payment_item_quantity_positive"),
            models.CheckConstraint(condition=Q(price__gte=0), name="payment_item_price_not_negative"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="payment_item_amount_not_negative"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["earner", "payment", "amount"], name="payment_item_by_earner"),
        ]

    def __str__(self) -> str:
        return f"{self.payment_id}/{self.record_id}"

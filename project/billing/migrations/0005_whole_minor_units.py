"""Round the amounts of bills in currencies without cents, which were stored in hundredths."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import migrations

from project.core.operations import InBatches

WITHOUT_CENTS = (
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
)


def whole(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal(1), ROUND_HALF_UP)


def round_amounts(apps: Any, bills: Any) -> None:
    """Round each amount. The total stays the sum of the lines, their taxes and the shipping."""
    for bill in bills.filter(currency__in=WITHOUT_CENTS).prefetch_related("lines"):
        lines = [*bill.lines.all()]
        for line in lines:
            line.amount, line.tax = whole(line.amount), whole(line.tax)
            line.save(update_fields=["amount", "tax"])
        bill.subtotal = sum((line.amount for line in lines), Decimal(0))
        bill.tax = sum((line.tax for line in lines), Decimal(0))
        bill.shipping_price = whole(bill.shipping_price)
        bill.total = bill.subtotal + bill.tax + bill.shipping_price
        bill.save(update_fields=["subtotal", "tax", "shipping_price", "total"])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("billing", "0004_decimals_of_currencies")]

    operations = [InBatches("billing.Bill", round_amounts)]

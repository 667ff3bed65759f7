"""Bills and their lines."""

from decimal import Decimal
from enum import StrEnum
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Length, Round
from django.db.models.lookups import Exact

from project.billing.issued import BillTexts, LineTexts
from project.billing.packing import Export, Place
from project.billing.rules import BillAction, BillStatus, check, number_text, refusal
from project.catalogs.models import Company, Customer
from project.core.constraints import days_in_range
from project.core.money import MINOR_UNITS
from project.core.versions import Versioned
from project.orders.models import Line

NOTES = 200


def _kept_name() -> models.CharField:
    """Return a field for the name that a person had when the bill was issued or canceled; empty for a pre-bill."""
    return models.CharField(max_length=700, default="", db_default="", blank=True)


def _equal_in_minor_units(amount: F, found: Combinable) -> Exact:
    """Return the condition that `amount` equals `found`, both rounded to the decimals of the bill's currency.

    Without the rounding SQLite would find differences, because it adds binary fractions.
    """
    currencies: dict[int, list[str]] = {}
    for currency, decimals in MINOR_UNITS.items():
        currencies.setdefault(decimals, []).append(currency)
    cases = [When(currency__in=sorted(some), then=decimals) for decimals, some in sorted(currencies.items())]
    precision = Case(*cases, default=2, output_field=models.IntegerField())
    return Exact(amount, Round(found, precision=precision))  # type: ignore[arg-type]


class Bill(Versioned):
    """A pre-bill or a bill. Each has a number; the numbers of a company are consecutive. No row is ever deleted.

    A bill that was a pre-bill also keeps its pre-bill number, so that no other pre-bill gets it. `export` is read and
    written as a whole: see `packing.Export`. `issued`, `logo` and the names of people are copied when the bill is
    issued, and do not change with the records: see `texts`.
    """

    number = models.PositiveIntegerField(null=True, blank=True)
    pre_bill_number = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=[(s.value, s.value) for s in BillStatus])
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="bills")
    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="bills")
    date = models.DateField()
    invoice_number = models.CharField(max_length=60, default="", blank=True)
    guide_number = models.CharField(max_length=60, default="", blank=True)
    shipping_price = models.DecimalField(max_digits=19, decimal_places=3, default=0)
    custom_regime = models.CharField(max_length=10, default="", blank=True)
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    currency = models.CharField(max_length=3)
    export = models.JSONField(null=True, blank=True)
    subtotal = models.DecimalField(max_digits=19, decimal_places=3)
    tax = models.DecimalField(max_digits=19, decimal_places=3)
    total = models.DecimalField(max_digits=19, decimal_places=3)
    issued = models.JSONField(null=True, blank=True)
    logo = models.CharField(max_length=200, default="", db_default="", blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bills_made")
    created_by_name = _kept_name()
    billed_at = models.DateTimeField(null=True, blank=True)
    billed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="bills_billed"
    )
    billed_by_name = _kept_name()
    canceled_at = models.DateTimeField(null=True, blank=True)
    canceled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="bills_canceled"
    )
    canceled_by_name = _kept_name()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            days_in_range("date", name="bill_date_in_range"),
            models.UniqueConstraint(fields=["company", "number"], name="bill_number_once_per_company"),
            models.UniqueConstraint(
                fields=["company", "pre_bill_number"], name="bill_pre_bill_number_once_per_company"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="bill_number_from_1"),
            models.CheckConstraint(condition=Q(pre_bill_number__gte=1), name="bill_pre_bill_number_from_1"),
            models.CheckConstraint(
                condition=~Q(status=BillStatus.Billed) | Q(number__isnull=False, billed_at__isnull=False),
                name="bill_billed_has_a_number",
            ),
            models.CheckConstraint(
                condition=~Q(status=BillStatus.PreBill) | Q(number__isnull=True),
                name="bill_pre_bill_has_no_number",
            ),
            models.CheckConstraint(
                condition=Q(number__isnull=False) | Q(pre_bill_number__isnull=False), name="bill_has_a_number"
            ),
            models.CheckConstraint(condition=Exact(Length("currency"), 3), name="bill_has_a_currency"),
            models.CheckConstraint(
                condition=~Q(status=BillStatus.Canceled) | Q(canceled_at__isnull=False, canceled_by__isnull=False),
                name="bill_canceled_has_a_person",
            ),
            models.CheckConstraint(
                condition=_equal_in_minor_units(F("subtotal"), F("subtotal"))
                & _equal_in_minor_units(F("tax"), F("tax"))
                & _equal_in_minor_units(F("shipping_price"), F("shipping_price"))
                & _equal_in_minor_units(F("total"), F("subtotal") + F("tax") + F("shipping_price")),
                name="bill_total_is_its_sum",
            ),
            models.CheckConstraint(condition=Q(shipping_price__gte=0), name="bill_shipping_not_negative"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["date", "id"], name="bill_by_date"),
            models.Index(fields=["status", "id"], name="bill_by_status"),
            models.Index(fields=["customer", "id"], name="bill_by_customer"),
        ]

    def __str__(self) -> str:
        return f"{self.company_id}/{self.number_text}"

    @property
    def sealed(self) -> bool:
        """Whether the bill has an electronic invoice that is sealed or stamped. The selectors load it."""
        found: bool = vars(self)["is_sealed"]
        return found

    @property
    def settled(self) -> bool:
        """Whether the bill has a payment or a credit note. The selectors load it."""
        found: bool = vars(self)["is_settled"]
        return found

    def check_allows(self, action: BillAction) -> None:
        """Raise a refusal if the bill does not allow `action`: see `rules.refusal`."""
        check(BillStatus(self.status), action, sealed=self.sealed, settled=self.settled)

    def allows(self, action: BillAction) -> bool:
        return refusal(BillStatus(self.status), action, sealed=self.sealed, settled=self.settled) is None

    @property
    def number_text(self) -> str:
        """The number that people read: `F-0001`, `P-0001`."""
        return number_text(self.number, self.pre_bill_number)

    @property
    def texts(self) -> BillTexts:
        """Texts of customer and company: as they were when the bill was issued; for a pre-bill, as they are now.

        An issued bill may lack texts for customs papers. Those are read from the records as they are now.
        """
        now = BillTexts.of(self.customer, self.company)
        return BillTexts(**self.issued).filled(now) if self.issued else now


class BillLine(models.Model):
    """Pieces of an order's line at a price. `tax_amount` is a percentage.

    `amount` and `tax` are rounded to the decimals of the bill's currency. `issued` and `customer_sales_order_id` are
    copied when the bill is issued; they are empty in a pre-bill. `metal_mg`: the metal that was shipped with the
    pieces; null in a pre-bill, and if the ledger had none.
    """

    bill = models.ForeignKey(Bill, on_delete=models.CASCADE, related_name="lines")
    place = models.PositiveIntegerField()
    line = models.ForeignKey(Line, on_delete=models.PROTECT, related_name="bill_lines")
    quantity = models.PositiveIntegerField()
    price = models.DecimalField(max_digits=17, decimal_places=7)
    tax_amount = models.DecimalField(max_digits=7, decimal_places=4)
    amount = models.DecimalField(max_digits=19, decimal_places=3)
    tax = models.DecimalField(max_digits=19, decimal_places=3)
    issued = models.JSONField(null=True, blank=True)
    customer_sales_order_id = models.CharField(max_length=NOTES, default="", db_default="", blank=True)
    metal_mg = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["bill", "place"], name="bill_line_place_once"),
            models.UniqueConstraint(fields=["bill", "line"], name="bill_line_once"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="bill_line_quantity_positive"),
            models.CheckConstraint(condition=Q(price__gte=0), name="bill_line_price_not_negative"),
            models.CheckConstraint(
                condition=Q(tax_amount__gte=0, tax_amount__lte=100), name="bill_line_tax_is_a_percentage"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bill_id}/{self.place}"

    @property
    def texts(self) -> LineTexts:
        """Texts of the product: as they were when the bill was issued; for a pre-bill, as they are now.

        An issued bill may lack texts for customs papers. Those are read from the product as it is now.
        """
        now = LineTexts.of(self.line.item)
        return LineTexts(**self.issued).filled(now) if self.issued else now

    @property
    def purchase_order(self) -> str:
        """The order's PO#: as it was when the bill was issued; for a pre-bill, as it is now."""
        return self.customer_sales_order_id or self.line.order.customer_sales_order_id

    @property
    def metal(self) -> int | None:
        """The milligrams of metal in the pieces, None if the ledger has none.

        For a pre-bill: the pieces' share of the line's finished metal, as it would be shipped if the bill were issued
        now. The selectors load the line's finished metal as `finished_mg`.
        """
        finished: int | None = getattr(self, "finished_mg", None)
        left = self.line.quantity_good - self.line.quantity_billed
        if not finished or left < 1:
            return self.metal_mg
        return finished * min(self.quantity, left) // left


class OriginCertificate(models.Model):
    """A certificate of origin for what a company sells to a customer in a period of up to twelve months.

    It is kept for ever, and never changes: `issued` holds the texts of both parties and of the products, `logo` the
    company's picture.
    """

    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="origin_certificates")
    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="origin_certificates")
    begins = models.DateField()
    ends = models.DateField()
    issued = models.JSONField()
    logo = models.CharField(max_length=200, default="", blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            days_in_range("begins", "ends", name="origin_certificate_days_in_range"),
            models.CheckConstraint(condition=Q(ends__gte=F("begins")), name="origin_certificate_ends_after_it_begins"),
        ]

    def __str__(self) -> str:
        return f"{self.parties.customer_name} {self.begins} – {self.ends}"

    @property
    def summary(self) -> tuple[str, str, int]:
        """The names of customer and company, and the number of products: the selectors load them without the texts."""
        loaded = vars(self)
        return loaded["named_customer"], loaded["named_company"], loaded["goods_count"]

    @property
    def parties(self) -> BillTexts:
        """Texts of customer and company, as they were when it was made."""
        return BillTexts(**self.issued["parties"])

    @property
    def goods(self) -> list[LineTexts]:
        """Texts of the products, as they were when it was made."""
        return [LineTexts(**one) for one in self.issued["goods"]]


class Csd(models.Model):
    """The certificate with which a company seals its invoices, and the key, sealed for `csd.PURPOSE` (hexadecimal).

    `number`: the twenty digits that the SAT gave the certificate. The certificate is DER in base64.
    """

    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="csd")
    number = models.CharField(max_length=40)
    rfc = models.CharField(max_length=13)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField()
    certificate = models.TextField()
    key = models.TextField()

    def __str__(self) -> str:
        return self.number


class CfdiState(StrEnum):
    """The state of an electronic paper. `dropped`: it was sealed and never stamped, and its seal was taken back."""

    sealed = "sealed"
    stamped = "stamped"
    dropped = "dropped"
    canceled = "canceled"


class SettlementKind(StrEnum):
    """What reduces the balance of a bill."""

    payment = "payment"
    credit_note = "creditNote"


class CancelReason(StrEnum):
    """The SAT's reasons to cancel an invoice."""

    replaced = "01"
    """It has mistakes, and another invoice replaces it."""
    mistaken = "02"
    """It has mistakes, and nothing replaces it."""
    not_sold = "03"
    in_global = "04"
    """A sale of a global invoice got an invoice of its own."""


LIVE = (CfdiState.sealed.value, CfdiState.stamped.value)
"""The states of an electronic invoice that counts."""


def _sealed_paper(table: str, of: str) -> list[models.BaseConstraint]:
    """Return what must hold of sealed papers. `of`: the field that names what a paper is of, once while it counts."""
    return [
        models.UniqueConstraint(fields=[of], condition=Q(state__in=LIVE), name=f"{table}_once_per_{of}"),
        models.CheckConstraint(
            condition=~Q(state=CfdiState.canceled.value)
            | (Q(reason__in=[one.value for one in CancelReason], canceled_at__isnull=False) & ~Q(uuid="")),
            name=f"{table}_canceled_has_a_reason",
        ),
        models.CheckConstraint(
            condition=Q(reason=CancelReason.replaced.value) ^ Q(replaced_by=""), name=f"{table}_replaced_for_reason_01"
        ),
        models.UniqueConstraint(fields=["uuid"], condition=~Q(uuid=""), name=f"{table}_uuid_once"),
        models.CheckConstraint(
            condition=~Q(state=CfdiState.stamped.value) | (~Q(uuid="") & Q(stamped_at__isnull=False)),
            name=f"{table}_stamped_has_a_uuid",
        ),
    ]


class SealedPaper(models.Model):
    """An electronic paper: the XML as it was sealed, or as it was stamped.

    `uuid`: the folio that the SAT gave the paper; empty before it is stamped. `reason`: a `CancelReason`, why it was
    canceled at the SAT. `replaced_by`: the folio of the replacing paper. `sent_at`: when the paper was sent to a PAC;
    null once the PAC has answered. `cancel_asked_at`: when the SAT was asked to cancel it; null again if the buyer
    refused.
    """

    state = models.CharField(max_length=10, choices=[(s.value, s.value) for s in CfdiState])
    xml = models.TextField()
    uuid = models.CharField(max_length=36, default="", blank=True)
    sealed_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    stamped_at = models.DateTimeField(null=True, blank=True)
    cancel_asked_at = models.DateTimeField(null=True, blank=True)
    canceled_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=2, default="", blank=True)
    replaced_by = models.CharField(max_length=36, default="", blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.uuid or str(self.pk)


class Cfdi(SealedPaper):
    """The electronic invoice of a bill. A bill has at most one that is sealed or stamped."""

    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="cfdis")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = _sealed_paper("cfdi", "bill")


class Settlement(models.Model):
    """A payment of a bill or a credit note for it: what reduces the balance that is owed. No row is ever deleted.

    `amount` is in `currency`; `settled` is the same amount in the bill's currency. `rate`: pesos for a dollar, null if
    no dollars are part of it. `number` counts the bill's payments, or its credit notes, from 1. `balance_before` and
    `balance_after` are in the bill's currency. `payment_form`: the SAT's code.
    """

    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="settlements")
    kind = models.CharField(max_length=10, choices=[(k.value, k.value) for k in SettlementKind])
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    payment_form = models.CharField(max_length=2)
    currency = models.CharField(max_length=3)
    amount = models.DecimalField(max_digits=19, decimal_places=3)
    rate = models.DecimalField(max_digits=10, decimal_places=6, null=True, blank=True)
    settled = models.DecimalField(max_digits=19, decimal_places=3)
    balance_before = models.DecimalField(max_digits=19, decimal_places=3)
    balance_after = models.DecimalField(max_digits=19, decimal_places=3)
    notes = models.CharField(max_length=NOTES, default="", blank=True)
    created_at = models.DateTimeField()
    canceled_at = models.DateTimeField(null=True, blank=True)
    cfdi: "SettlementCfdi | None"
    """Its paper that is sealed or stamped. `selectors.settlements_of` loads it."""

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["bill", "kind", "number"],
                condition=Q(canceled_at__isnull=True),
                name="settlement_number_once_per_bill",
            ),
            models.CheckConstraint(condition=Q(settled__gt=0, amount__gt=0), name="settlement_amount_positive"),
            models.CheckConstraint(
                condition=Exact(
                    Round(F("balance_after"), precision=3),
                    Round(F("balance_before") - F("settled"), precision=3),
                )
                & Q(balance_after__gte=0),
                name="settlement_balance_is_the_rest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bill_id}/{self.kind}/{self.number}"


def balance_of(bill: Bill, rows: list[Settlement]) -> Decimal:
    """Return what is still owed for a bill, in its currency. `rows`: its uncanceled settlements, oldest first."""
    return rows[-1].balance_after if rows else bill.total


class SettlementCfdi(SealedPaper):
    """The electronic paper of a settlement: the complement of a payment, or a credit note."""

    settlement = models.ForeignKey(Settlement, on_delete=models.PROTECT, related_name="cfdis")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = _sealed_paper("settlement_cfdi", "settlement")


def billed_pieces(bill: Bill) -> dict[Place, int]:
    """Return the number of pieces of each line of a bill loaded by the selectors."""
    return {(row.line.order_id, row.line.position): row.quantity for row in bill.lines.all()}


def metal_of(bill: Bill) -> dict[Place, tuple[int, int]]:
    """Return the pieces and the milligrams of each line with metal. `bill` is loaded by the selectors."""
    return {(row.line.order_id, row.line.position): (row.quantity, row.metal) for row in bill.lines.all() if row.metal}


def export_of(bill: Bill) -> Export:
    """Return the export part of a bill loaded by the selectors, with the metal of its boxes."""
    return Export.read(bill.export).weighed(metal_of(bill))

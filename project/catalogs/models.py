"""The catalogs that orders refer to."""

from enum import StrEnum
from typing import ClassVar

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from project.core.grams import PURE
from project.core.money import plant_currency
from project.core.pictures import Pictured
from project.core.schemas import LONGEST_NAME
from project.core.searching import searched
from project.core.spanish import COLLATION, NameKey
from project.core.texts import active_language
from project.core.versions import Versioned

HOME = "MX"
"""The default origin of products: a code of the shared catalog `countries`."""


def _once(name: str, field: str) -> models.UniqueConstraint:
    """Make a field unique by `NameKey`: case and extra blanks do not distinguish names, accents do."""
    return models.UniqueConstraint(NameKey(field), name=name)


def _currency() -> models.CharField:
    return models.CharField(max_length=3, default=plant_currency)


def _has_currency(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Exact(Length("currency"), 3), name=name)


def _in_order(field: str) -> models.Index:
    """Index a list's order, so that PostgreSQL reads a page without sorting the whole table."""
    return models.Index(fields=[field, "id"], name=f"%(class)s_by_{field}")


class ShortList(Versioned):
    """A row of a short list: a choice in forms, with a name in each language (infra/docs/rules.md#catalogs)."""

    key = models.CharField(max_length=40, db_collation=COLLATION)
    name_spanish = models.CharField(max_length=200, db_collation=COLLATION)
    name_english = models.CharField(max_length=200, db_collation=COLLATION)
    active = models.BooleanField(default=True)
    search_text = searched("key", "name_spanish", "name_english")

    class Meta:
        abstract = True
        constraints: ClassVar[list[models.BaseConstraint]] = [_once("%(class)s_key_once", "key")]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def name_column() -> models.F:
        """Return the column with the name in the caller's language."""
        return models.F("name_english" if active_language() == "en" else "name_spanish")

    @property
    def name(self) -> str:
        """The name in the caller's language."""
        return self.name_english if active_language() == "en" else self.name_spanish


class CustomerType(ShortList):
    """The kind of buyer that a customer is."""


class TaxSection(ShortList):
    """The fiscal regime of a customer."""


class ReleaseReason(ShortList):
    """A reason to release pieces from a process for rework."""


class ScrapReason(ShortList):
    """A reason why pieces are scrapped. `payable`: the work in the process that lost the pieces is still paid."""

    payable = models.BooleanField(default=False, db_default=False)


class CertifierRole(StrEnum):
    """The role in which a company certifies the origin of its goods."""

    exporter = "exporter"
    producer = "producer"


class Company(Versioned, Pictured):
    """A company under which the manufacturer sells. The commercial address is read and written as a whole.

    `certifier_name` and `certifier_title`: the person who certifies the origin of its goods. `certifier_role`: a
    `CertifierRole`, empty if the company certifies nothing. `fiscal_regime`: a code of the shared catalog
    `fiscalRegimes`.
    """

    folder = "companies"
    keeps_replaced = True

    name = models.CharField(max_length=200, db_collation=COLLATION)
    legal_name = models.CharField(max_length=200, default="", blank=True)
    tax_id = models.CharField(max_length=200, default="", blank=True)
    email = models.CharField(max_length=254, default="", blank=True)
    phone = models.CharField(max_length=200, default="", blank=True)
    commercial_address = models.JSONField(null=True, blank=True)
    certifier_name = models.CharField(max_length=200, default="", db_default="", blank=True)
    certifier_title = models.CharField(max_length=200, default="", db_default="", blank=True)
    certifier_role = models.CharField(
        max_length=10,
        choices=[(role.value, role.value) for role in CertifierRole],
        default="",
        db_default="",
        blank=True,
    )
    fiscal_regime = models.CharField(max_length=10, default="", db_default="", blank=True)
    status = models.BooleanField(default=True)
    search_text = searched("name", "legal_name", "tax_id")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("name")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            _once("company_name_once", "name"),
            models.CheckConstraint(
                condition=models.Q(certifier_role__in=["", *(role.value for role in CertifierRole)]),
                name="company_certifier_role_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ExportTaxItem(Versioned):
    """A tariff item: its code is 8 to 10 digits, leading zeros included."""

    code = models.CharField(max_length=10)
    english_description = models.TextField(default="", blank=True)
    spanish_description = models.TextField(default="", blank=True)
    english_metal_name = models.CharField(max_length=200, default="", blank=True)
    spanish_metal_name = models.CharField(max_length=200, default="", blank=True)
    search_text = searched("code", "spanish_description", "english_description")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("code")]
        constraints: ClassVar[list[models.BaseConstraint]] = [_once("export_tax_item_code_once", "code")]

    def __str__(self) -> str:
        return self.code


class Customer(Versioned, Pictured):
    """A customer. Addresses, phones and e-mails are JSON lists, because they are read and written only as a whole."""

    folder = "customers"

    name = models.CharField(max_length=200, db_collation=COLLATION)
    customer_type = models.ForeignKey(CustomerType, null=True, blank=True, on_delete=models.PROTECT)
    tax_section = models.ForeignKey(TaxSection, null=True, blank=True, on_delete=models.PROTECT)
    tax_id = models.CharField(max_length=200, default="", blank=True)
    quinto = models.CharField(max_length=200, default="", blank=True)
    currency = _currency()
    addresses = models.JSONField(default=list, blank=True)
    phones = models.JSONField(default=list, blank=True)
    emails = models.JSONField(default=list, blank=True)
    status = models.BooleanField(default=True)
    search_text = searched("name", "tax_id", "quinto")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("name")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            _once("customer_name_once", "name"),
            _has_currency("customer_has_a_currency"),
        ]

    def __str__(self) -> str:
        return self.name


class Material(Versioned):
    """What components are made of. Readers of English see the Spanish texts where there are no English ones."""

    name = models.CharField(max_length=200, db_collation=COLLATION)
    name_english = models.CharField(max_length=200, default="", db_default="", blank=True)
    description = models.CharField(max_length=4_000, default="", blank=True)
    description_english = models.CharField(max_length=4_000, default="", db_default="", blank=True)
    status = models.BooleanField(default=True)
    search_text = searched("name", "description")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("name")]
        constraints: ClassVar[list[models.BaseConstraint]] = [_once("material_name_once", "name")]

    def __str__(self) -> str:
        return self.name


class Alloy(Versioned):
    """A metal of one fineness, in tenths of a per mille: sterling is 9250, pure metal 10000.

    `wax_ratio`: the grams of metal that replace one gram of wax in a cast; null if nothing is cast of the alloy.
    """

    name = models.CharField(max_length=200, db_collation=COLLATION)
    fineness = models.PositiveIntegerField()
    material = models.ForeignKey(Material, null=True, blank=True, on_delete=models.PROTECT, related_name="alloys")
    wax_ratio = models.DecimalField(max_digits=6, decimal_places=3, null=True, blank=True)
    status = models.BooleanField(default=True)
    search_text = searched("name")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("name")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            _once("alloy_name_once", "name"),
            models.CheckConstraint(condition=models.Q(fineness__lte=PURE), name="alloy_fineness_to_1000"),
            models.CheckConstraint(
                condition=models.Q(wax_ratio__isnull=True) | models.Q(wax_ratio__gt=0), name="alloy_wax_ratio_above_0"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Tray(Versioned):
    """A tray or bag in which pieces are weighed: its code, and its weight in milligrams."""

    code = models.CharField(max_length=40, db_collation=COLLATION)
    mg = models.BigIntegerField()
    status = models.BooleanField(default=True)
    search_text = searched("code")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("code")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            _once("tray_code_once", "code"),
            models.CheckConstraint(condition=models.Q(mg__gt=0), name="tray_weighs_something"),
        ]

    def __str__(self) -> str:
        return self.code


class Component(Versioned):
    """A part of products. `name_english`: the name for readers of English; empty if they see `name`."""

    name = models.CharField(max_length=200, db_collation=COLLATION)
    name_english = models.CharField(max_length=200, default="", db_default="", blank=True)
    status = models.BooleanField(default=True)
    search_text = searched("name")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("name")]
        constraints: ClassVar[list[models.BaseConstraint]] = [_once("component_name_once", "name")]

    def __str__(self) -> str:
        return self.name


class Weighs(StrEnum):
    """Whether pieces are weighed when they enter and leave a process."""

    no = "no"
    optional = "optional"
    required = "required"


class ProductionProcess(Versioned):
    """A step of production. `price` is the piece rate in the plant's currency.

    `name_english`: the name for readers of English; empty if they see `name`. `allowed_loss`: the loss of metal
    that is allowed, in per mille; null if nobody has set it. `recovers`: lost metal is dust that is swept up. `gains`:
    pieces may gain metal from a bath, as at plating.
    """

    name = models.CharField(max_length=200, db_collation=COLLATION)
    name_english = models.CharField(max_length=200, default="", db_default="", blank=True)
    order = models.PositiveIntegerField()
    status = models.BooleanField(default=True)
    price = models.DecimalField(max_digits=17, decimal_places=7, default=0)
    weighs = models.CharField(
        max_length=8,
        choices=[(choice.value, choice.value) for choice in Weighs],
        default=Weighs.no.value,
        db_default=Weighs.no.value,
    )
    allowed_loss = models.DecimalField(max_digits=5, decimal_places=1, null=True, blank=True)
    recovers = models.BooleanField(default=False, db_default=False)
    gains = models.BooleanField(default=False, db_default=False)
    search_text = searched("name")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("order")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            _once("production_process_name_once", "name"),
            models.CheckConstraint(condition=models.Q(order__gte=1), name="production_process_order_from_1"),
            models.CheckConstraint(condition=models.Q(price__gte=0), name="production_process_price_not_negative"),
        ]

    def __str__(self) -> str:
        return self.name


class ProcessPrice(models.Model):
    """The piece rate of a process from `since` on, and the id and name of the user who set it.

    The user is not a foreign key, because accounts can be deleted.
    """

    process = models.ForeignKey(ProductionProcess, on_delete=models.CASCADE, related_name="prices")
    price = models.DecimalField(max_digits=17, decimal_places=7)
    since = models.DateTimeField()
    user_id = models.BigIntegerField(null=True)
    user_name = models.CharField(max_length=700, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(price__gte=0), name="process_price_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.process_id}: {self.price}"


class OriginCriterion(StrEnum):
    """Why a product originates by the rules of T-MEC (article 4.2), or that it does not."""

    none = "none"
    A = "A"
    """Wholly obtained or produced."""
    B = "B"
    """Produced of other materials, by the rule of the product."""
    C = "C"
    """Produced of originating materials alone."""
    D = "D"
    """Unassembled, or classified with its parts."""


class Item(Versioned, Pictured):
    """A product. `tax_amount` is a percentage (16 means 16 %); `currency` is the currency of `sell_price`.

    `origin_criterion`: an `OriginCriterion`, empty if nobody has said it. `sat_product_code`: the SAT's code of the
    kind of goods, eight digits.

    `net_mg`: the milligrams of `alloy` in one finished piece. `other_mg`: the milligrams of stones and enamel in it.
    Null if unknown.
    """

    folder = "items"

    key = models.CharField(max_length=200, db_collation=COLLATION)
    tax_item = models.ForeignKey(ExportTaxItem, null=True, blank=True, on_delete=models.PROTECT, related_name="items")
    sat_unit_measurement = models.CharField(max_length=10, default="", blank=True)
    name = models.CharField(max_length=200, db_collation=COLLATION)
    description_spanish = models.CharField(max_length=4_000, default="", blank=True)
    description_english = models.CharField(max_length=4_000, default="", blank=True)
    tax_amount = models.DecimalField(max_digits=7, decimal_places=4, default=0)
    sell_price = models.DecimalField(max_digits=17, decimal_places=7, default=0)
    currency = _currency()
    priority = models.PositiveSmallIntegerField(default=0)
    antique = models.BooleanField(default=False)
    measures = models.CharField(max_length=200, default="", blank=True)
    origin = models.CharField(max_length=2, default=HOME)
    origin_criterion = models.CharField(
        max_length=4, choices=[(one.value, one.value) for one in OriginCriterion], default="", db_default="", blank=True
    )
    sat_product_code = models.CharField(max_length=8, default="", db_default="", blank=True)
    alloy = models.ForeignKey(Alloy, null=True, blank=True, on_delete=models.PROTECT, related_name="items")
    net_mg = models.PositiveBigIntegerField(null=True, blank=True)
    other_mg = models.PositiveBigIntegerField(null=True, blank=True)
    status = models.BooleanField(default=True)
    search_text = searched("key", "name", "description_spanish", "description_english")

    # Loaded by `selectors.price_grid`.
    prices_now: "list[ProcessItemPrice]"
    prices_planned: "list[ProcessItemPrice]"

    class Meta:
        indexes: ClassVar[list[models.Index]] = [_in_order("key"), _in_order("name")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            _once("item_key_once", "key"),
            _once("item_name_once", "name"),
            models.CheckConstraint(condition=models.Q(priority__lte=9), name="item_priority_0_to_9"),
            models.CheckConstraint(condition=models.Q(sell_price__gte=0), name="item_price_not_negative"),
            models.CheckConstraint(condition=Exact(Length("origin"), 2), name="item_has_an_origin"),
            models.CheckConstraint(
                condition=models.Q(origin_criterion__in=["", *(one.value for one in OriginCriterion)]),
                name="item_origin_criterion_known",
            ),
            models.CheckConstraint(
                condition=models.Q(tax_amount__gte=0, tax_amount__lte=100), name="item_tax_is_a_percentage"
            ),
            _has_currency("item_has_a_currency"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def name_english(self) -> str:
        """The name for readers of English: the start of the English description; empty if they see `name`."""
        return self.description_english[:LONGEST_NAME]


class PriceUnit(StrEnum):
    """What a piece price is paid for: each piece, or each gram that leaves the process."""

    piece = "piece"
    gram = "gram"


class ProcessItemPrice(Versioned):
    """The price of a product's work in a process, from `since` on.

    `item` null: the price of all products without a price of their own. `price` null: from `since` on, the product has
    no price of its own. A row that has begun keeps its price. The user is not a foreign key, because accounts can be
    deleted.

    The model belongs to piece work. It is defined here because `orders.movements` stores the price with each exit, and
    orders may not import piece work.
    """

    process = models.ForeignKey(ProductionProcess, on_delete=models.CASCADE, related_name="item_prices")
    item = models.ForeignKey(Item, null=True, blank=True, on_delete=models.CASCADE, related_name="piece_prices")
    unit = models.CharField(max_length=5, choices=[(u.value, u.value) for u in PriceUnit], default=PriceUnit.piece)
    price = models.DecimalField(max_digits=17, decimal_places=7, null=True, blank=True)
    since = models.DateTimeField()
    user_id = models.BigIntegerField(null=True)
    user_name = models.CharField(max_length=700, default="", blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["process", "item", "since"], name="process_item_price_once"),
            models.UniqueConstraint(
                fields=["process", "since"],
                condition=models.Q(item__isnull=True),
                name="process_item_price_of_all_once",
            ),
            models.CheckConstraint(
                condition=models.Q(price__isnull=True) | models.Q(price__gte=0),
                name="process_item_price_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(unit__in=[unit.value for unit in PriceUnit]), name="process_item_price_has_a_unit"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.process.name} · {self.item.key if self.item else '*'}"


class ItemComponent(models.Model):
    """One component row of a product. `place`: its position in the product's list."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="components")
    place = models.PositiveSmallIntegerField()
    component = models.ForeignKey(Component, on_delete=models.PROTECT, related_name="item_components")
    material = models.ForeignKey(
        Material, null=True, blank=True, on_delete=models.PROTECT, related_name="item_components"
    )
    notes = models.CharField(max_length=200, default="", blank=True)

    # Annotated by `selectors.components_in_place`.
    component_name: str
    component_name_english: str
    material_name: str | None
    material_name_english: str | None
    material_description: str | None
    material_description_english: str | None

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["item", "place"], name="item_component_place_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}/{self.place}"


class ItemProcess(models.Model):
    """One process of a product's way: the processes that its pieces go through, in order. `place`: its position."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="way")
    place = models.PositiveSmallIntegerField()
    process = models.ForeignKey(ProductionProcess, on_delete=models.PROTECT, related_name="ways")

    # Annotated by `selectors.items`.
    process_name: str

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["item", "place"], name="item_process_place_once"),
            models.UniqueConstraint(fields=["item", "process"], name="item_process_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}/{self.place}"

"""Reads of the catalogs. The number of queries does not grow with the number of rows."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import batched
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import (
    Case,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from project.catalogs.models import (
    Alloy,
    Company,
    Customer,
    Item,
    ItemComponent,
    ItemProcess,
    PriceUnit,
    ProcessItemPrice,
    ProcessPrice,
    ProductionProcess,
    ReleaseReason,
    ScrapReason,
    ShortList,
)
from project.core import clock
from project.core.errors import InvalidFields, NotFound
from project.core.folding import folded
from project.core.pagination import Orderings
from project.core.queries import prepared
from project.core.spanish import Folded, NameKey, matching as words_in, words
from project.core.versions import Versioned

_OFFERED = ("key", "name", "description_english", "image")
"""The columns shown where a product is chosen."""
PRODUCT = ("key", "name", "description_english__start")
"""The texts by which readers of either language know a product, as `matching` takes them."""
PRODUCT_OF_ROW = tuple(f"item__{text}" for text in PRODUCT)

BY_NAME = Orderings(columns={"id": "id", "name": "name", "status": "status"}, default="name")
BY_ORDER = Orderings(columns={**BY_NAME.columns, "order": "order", "price": "price"}, default="order")
BY_CODE = Orderings(columns={"id": "id", "code": "code"}, default="code")
BY_KEY = Orderings(
    columns={**BY_NAME.columns, "key": "key", "priority": "priority", "sellPrice": "sell_price"},
    default="key",
)
SHORT_LIST = Orderings(
    columns={
        "id": "id",
        "key": "key",
        "nameSpanish": "name_spanish",
        "nameEnglish": "name_english",
        "active": "active",
    },
    default="key",
)
PRICES_NEWEST_FIRST = Orderings(columns={"id": "id"}, default="-id")
ITEM_PRICES = Orderings(columns={"id": "id", "since": "since"}, default="-since")
PRICE_GRID = Orderings(columns={"id": "id", "key": "key", "name": "name"}, default="key")


@dataclass(frozen=True)
class Issuer:
    """The company on work sheets and pay slips: the first active one with a picture, else the first active one."""

    name: str
    logo: str


def issuer() -> Issuer:
    """Return the issuer, with empty fields if no company is active. 1 query."""
    companies = Company.objects.filter(status=True).order_by("id").values_list("name", "image")
    rows = sorted(companies, key=lambda row: not row[1])
    return Issuer(*rows[0]) if rows else Issuer("", "")


def release_reasons() -> QuerySet[ReleaseReason]:
    return ReleaseReason.objects.defer("search_text")


def release_reason_offered(key: str) -> ReleaseReason:
    """Return the active reason with this key. Raises `InvalidFields` with code `unknown`. 1 query."""
    return _reason_offered(ReleaseReason, key)


def scrap_reason_offered(key: str) -> ScrapReason:
    """Return the active reason with this key. Raises `InvalidFields` with code `unknown`. 1 query."""
    return _reason_offered(ScrapReason, key)


def _reason_offered[Reason: ShortList](model: type[Reason], key: str) -> Reason:
    found = model._default_manager.filter(key=key, active=True).first()
    if found is None:
        raise InvalidFields.of("reason", "unknown")
    return found


def customers() -> QuerySet[Customer]:
    """Return customers with their type and their tax section."""
    deferred = ("search_text", "customer_type__search_text", "tax_section__search_text")
    return Customer.objects.select_related("customer_type", "tax_section").defer(*deferred)


def alloys() -> QuerySet[Alloy]:
    """Return alloys with their material."""
    return Alloy.objects.select_related("material").defer("search_text", "material__search_text")


def production_processes() -> QuerySet[ProductionProcess]:
    return ProductionProcess.objects.defer("search_text")


class PiecePrice(NamedTuple):
    """What a piece or a gram earns."""

    price: Decimal
    unit: PriceUnit


_THE_PROCESS = 0
"""Marks the row of `_PRICES` that holds the price of the process itself. No product has this id."""
# Raw SQL, because each exit runs it: Django takes ten times as long to build it as the database to answer.
_PRICES = """
SELECT item_id, price, unit, since FROM (
  SELECT item_id, price, unit, since, ROW_NUMBER() OVER (PARTITION BY item_id ORDER BY since DESC) AS place
  FROM catalogs_processitemprice
  WHERE process_id = %s AND since <= %s AND (item_id IS NULL OR item_id IN ({items}))
) AS of_products WHERE place = 1
UNION ALL
SELECT {the_process}, price, '{piece}', since FROM (
  SELECT price, since FROM catalogs_processprice WHERE process_id = %s AND {begun} ORDER BY since DESC, id DESC LIMIT 1
) AS of_process
"""


def piece_prices(process_id: int, item_ids: Collection[int], instant: datetime | None) -> dict[int, PiecePrice]:
    """Return the price of each product in a process at an instant; `instant` None: now. 1 query.

    A product's own price wins. Without one, the later of two prices wins: the process's own price (`ProcessPrice`), or
    the `ProcessItemPrice` without a product. Products for which no price has begun are left out. A `ProcessPrice` more
    than a minute ahead of the clock counts as well: it was set before the clock was set back.
    """
    now = clock.now()
    begun = [] if instant is None else [instant, now + clock.CLOCKS_DIFFER]
    sql = _PRICES.format(
        items=", ".join(["%s"] * len(item_ids)) or "NULL",
        the_process=_THE_PROCESS,
        piece=PriceUnit.piece.value,
        begun="(since <= %s OR since > %s)" if begun else "1 = 1",
    )
    adapted = connection.ops.adapt_datetimefield_value
    with connection.cursor() as cursor:
        since = [adapted(instant or now), *item_ids, process_id, *map(adapted, begun)]
        cursor.execute(sql, [process_id, *since])
        found = cursor.fetchall()
    # `since` is only compared: SQLite answers it as text in one format.
    prices = {
        item: (since, Decimal(str(price)), PriceUnit(unit)) for item, price, unit, since in found if price is not None
    }
    of_all = max((prices[one] for one in (None, _THE_PROCESS) if one in prices), key=itemgetter(0), default=None)
    chosen = {item_id: prices.get(item_id) or of_all for item_id in item_ids}
    return {item_id: PiecePrice(one[1], one[2]) for item_id, one in chosen.items() if one}


def item_prices() -> QuerySet[ProcessItemPrice]:
    """Return all piece prices (past, current and planned), with their process and their product."""
    return ProcessItemPrice.objects.select_related("process", "item").defer("process__search_text", "item__search_text")


def prices_at(instant: datetime, *, of_all: bool) -> QuerySet[ProcessItemPrice]:
    """Return, for each cell, the last price that has begun at `instant`. A cell is a product in a process.

    `of_all`: True for the prices of all products, False for the prices of single products. Includes rows that end a
    price (`price` null).
    """
    newer = ProcessItemPrice.objects.filter(
        process=OuterRef("process"), item=None if of_all else OuterRef("item"), since__gt=OuterRef("since")
    )
    begun = ProcessItemPrice.objects.filter(since__lte=instant, item__isnull=of_all)
    return begun.filter(~Exists(newer.filter(since__lte=instant)))


def price_grid(instant: datetime, *, priced: bool = False) -> QuerySet[Item]:
    """Return products with their own prices: those at an instant, and those planned for later. 3 queries.

    `priced`: only products that have at least one such price.
    """
    now, planned = prices_at(instant, of_all=False), ProcessItemPrice.objects.filter(since__gt=instant)
    rows = Item.objects.defer("search_text").prefetch_related(
        _prices(now.filter(price__isnull=False), "prices_now"),
        _prices(planned.order_by("since"), "prices_planned"),
    )
    if priced:
        own = {"item": OuterRef("pk"), "price__isnull": False}
        rows = rows.filter(Exists(now.filter(**own)) | Exists(planned.filter(**own)))
    return rows


def _prices(rows: QuerySet[ProcessItemPrice], name: str) -> Prefetch:
    """Load prices of products as the attribute `name`, which the model declares."""
    return Prefetch("piece_prices", queryset=rows, to_attr=name)


class PriceColumn(NamedTuple):
    """A process with its prices for products without a price of their own: the current one, and the planned ones.

    `since`: when the current price began; None if unknown.
    """

    process: ProductionProcess
    now: PiecePrice
    since: datetime | None
    planned: list[ProcessItemPrice]


def price_columns(instant: datetime) -> list[PriceColumn]:
    """Return the active processes in order, with their prices for products without a price of their own. 3 queries."""
    newest = ProcessPrice.objects.filter(process=OuterRef("pk")).order_by("-since", "-id")
    processes = production_processes().filter(status=True).order_by("order", "id")
    of_all = {row.process_id: row for row in prices_at(instant, of_all=True).filter(price__isnull=False)}
    planned: defaultdict[int, list[ProcessItemPrice]] = defaultdict(list)
    for row in ProcessItemPrice.objects.filter(item=None, since__gt=instant).order_by("since"):
        planned[row.process_id].append(row)
    columns = []
    for process in processes.annotate(priced_at=Subquery(newest.values("since")[:1])):
        price, since = PiecePrice(process.price, PriceUnit.piece), process.priced_at
        later = of_all.get(process.pk)
        if later and later.price is not None and (since is None or later.since >= since):
            price, since = PiecePrice(later.price, PriceUnit(later.unit)), later.since
        columns.append(PriceColumn(process, price, since, planned[process.pk]))
    return columns


def process_prices(process_id: int) -> QuerySet[ProcessPrice]:
    """Return the price history of a process. Raises `NotFound`. 1 query checks the process before the list is read."""
    if not ProductionProcess.objects.filter(pk=process_id).exists():
        raise NotFound
    return ProcessPrice.objects.filter(process=process_id)


_NAMES: dict[str, Any] = {
    f"{table}_{column}": F(f"{table}__{column}")
    for table, columns in (
        ("component", ("name", "name_english")),
        ("material", ("name", "name_english", "description", "description_english")),
    )
    for column in columns
}
_PROCESS_NAME: dict[str, Any] = {"process_name": F("process__name")}
# Built once: building the query takes as long as running it.
_COMPONENTS = ItemComponent.objects.annotate(**_NAMES).order_by("item_id", "place")


def components_in_place() -> QuerySet[ItemComponent]:
    """Return component rows in the order in which products list them, with the names shown."""
    return _COMPONENTS.all()


_components = prepared(lambda *items: components_in_place().filter(item__in=items))


def components_of(items: Collection[int]) -> Mapping[int, list[ItemComponent]]:
    """Return the component rows by product id; the list is empty for ids without rows. 1 query."""
    found: defaultdict[int, list[ItemComponent]] = defaultdict(list)
    for row in _components(*items) if items else ():
        found[row.item_id].append(row)
    return found


def items() -> QuerySet[Item]:
    """Return products with their component rows and their way. 3 queries."""
    products = Item.objects.select_related("tax_item", "alloy")
    products = products.defer("search_text", "tax_item__search_text", "alloy__search_text")
    way = ItemProcess.objects.annotate(**_PROCESS_NAME).order_by("item_id", "place")
    return products.prefetch_related(
        Prefetch("components", queryset=components_in_place()), Prefetch("way", queryset=way)
    )


def matching[Entry: Versioned](rows: QuerySet[Entry], search: str | None) -> QuerySet[Entry]:
    """Filter rows to those with each word of `search` in their `search_text`, ignoring case and accents."""
    for word in words(search or ""):
        rows = rows.filter(search_text__contains=Folded(Value(word)))
    return rows


def products_offered(search: str) -> QuerySet[Item]:
    """Return active products with each word of `search` in the key or the name, in either language.

    Order: the product with exactly this key, keys that begin with `search`, names that begin with `search`, all others.
    """
    rows = matching(Item.objects.filter(status=True), search)
    # Drop products that match by what this list does not show.
    rows = words_in(rows, search, *PRODUCT)
    whole = search.strip()
    nearest = Case(
        When(key__folded=whole, then=0),
        When(key__folded__startswith=whole, then=1),
        When(Q(name__folded__startswith=whole) | Q(description_english__folded__startswith=whole), then=2),
        default=3,
    )
    return rows.annotate(nearest=nearest).order_by("nearest", "key").only(*_OFFERED)


def products_called(texts: Collection[str]) -> dict[str, list[Item]]:
    """Find the active products that each text names: by key, else by name, ignoring case and accents.

    1 query for 1,000 texts.
    """
    called: dict[str, dict[str, list[Item]]] = {"key": {}, "name": {}}
    for some in batched(sorted({folded(text) for text in texts} - {""}), 1_000):
        known = Item.objects.annotate(folded_key=Folded(NameKey("key")), folded_name=Folded(NameKey("name")))
        found = known.filter(Q(folded_key__in=some) | Q(folded_name__in=some), status=True)
        for row in found.only(*_OFFERED).order_by("key"):
            called["key"].setdefault(folded(row.key), []).append(row)
            called["name"].setdefault(folded(row.name), []).append(row)
    return {text: called["key"].get(folded(text)) or called["name"].get(folded(text), []) for text in texts}


def entry_get[Entry: Versioned](rows: QuerySet[Entry], entry_id: int) -> Entry:
    """Return one of the rows. Raises `NotFound`."""
    found = rows.filter(pk=entry_id).first()
    if found is None:
        raise NotFound
    return found


def entry_for_update[Entry: Versioned](rows: QuerySet[Entry], entry_id: int) -> Entry:
    """Return one of the rows, locked until the transaction ends. Raises `NotFound`, also if it was just deleted."""
    return entry_get(rows.select_for_update(of=("self",)), entry_id)

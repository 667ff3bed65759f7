"""REST of the catalogs: the operations that every catalog has, and those that only one catalog has."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.audit.exporting import export, exported
from project.catalogs import products, schemas, selectors, services
from project.catalogs.definition import CATALOGS
from project.catalogs.models import PriceUnit, ProcessItemPrice
from project.catalogs.price_grid import PRICE_GRID
from project.catalogs.resources import PathId, catalog_router
from project.catalogs.terms import shared_catalogs
from project.catalogs.workbook import workbook
from project.core import clock
from project.core.answers import Created
from project.core.exporting import CONTENT_TYPES, Column
from project.core.idempotency import NotKept, Repeat
from project.core.money import plant_currency, with_minor_units
from project.core.pagination import ListQuery, announce, paginate
from project.core.routing import domain_router
from project.core.schemas import given
from project.core.spanish import matching
from project.core.texts import text
from project.core.versions import if_match

shared = domain_router("catalogs")
assets = domain_router("assets")


@shared.get(
    "",
    auth=SignedIn("every form needs codes", customers="names of statuses, countries and currencies", services=True),
    operation_id="shared_catalogs",
)
def shared_catalog_list(request: HttpRequest) -> list[schemas.SharedCatalogOut]:
    """List SAT units, countries, calling codes, currencies, customs and fiscal regimes, and statuses in both
    languages."""
    return [
        schemas.SharedCatalogOut(
            key=key,
            entries=[schemas.TermOut(code=term.code, name_es=term.name_es, name_en=term.name_en) for term in terms],
        )
        for key, terms in shared_catalogs().items()
    ]


@assets.get(
    "/catalogs.xlsx", auth=SignedIn("a sheet for each catalog that they may list"), operation_id="catalogs_workbook"
)
def catalogs_workbook(request: HttpRequest) -> HttpResponse:
    """Download the catalogs that the caller may list as an XLSX file, one sheet each."""
    file, rows = workbook(caller(request))
    exported("catalogs.xlsx", filters={}, rows=rows, by=caller(request))
    response = HttpResponse(file, content_type=CONTENT_TYPES["xlsx"])
    response["Content-Disposition"] = 'attachment; filename="catalogs.xlsx"'
    return response


routers = {name: catalog_router(definition) for name, definition in CATALOGS.items()}

ordered_products = domain_router("items")
ORDERS_PRODUCTS = Requires(
    Permission.CreateSalesOrder, Permission.UpdateSalesOrder, Permission.UpdateSalesOrderPosition
)


@ordered_products.get("/offered", auth=ORDERS_PRODUCTS, operation_id="item_offered")
def products_offered(
    request: HttpRequest, query: Query[products.OfferedProductQuery]
) -> list[products.OfferedProductOut]:
    """List active products for a line of an order, the best matches first."""
    return [products.offered_product(row) for row in selectors.products_offered(query.search)[: query.limit]]


@ordered_products.post(
    "/called",
    auth=ORDERS_PRODUCTS,
    operation_id="item_called",
    repeat=NotKept("reads"),
)
def products_called(request: HttpRequest, body: products.CalledIn) -> list[products.CalledOut]:
    """Find the active products that a spreadsheet's texts name: by key, else by name, ignoring case and accents."""
    found = selectors.products_called(body.texts)
    return [
        products.CalledOut(text=text, products=[products.offered_product(row) for row in rows])
        for text, rows in found.items()
    ]


price_history = domain_router("production-processes")


@price_history.get(
    "/{int:entry_id}/prices",
    auth=Requires(Permission.ListProductionProcesses),
    operation_id="production_process_prices",
)
def process_prices(
    request: HttpRequest, response: HttpResponse, entry_id: PathId, query: Query[ListQuery]
) -> list[schemas.ProcessPriceOut]:
    """List the piece rates of a process, the current one first. Pieces earn the rate that applies at their exit."""
    page = paginate(selectors.process_prices(entry_id), query, selectors.PRICES_NEWEST_FIRST)
    return [
        schemas.ProcessPriceOut(
            id=row.pk,
            price=row.price,
            currency=plant_currency(),
            since=row.since,
            user_id=row.user_id,
            username=row.user_name or None,
        )
        for row in announce(page, request, response)
    ]


item_prices = domain_router("process-item-prices")
ITEM_PRICE = "/{int:price_id}"
ITEM_PRICE_COLUMNS: tuple[Column[ProcessItemPrice], ...] = (
    Column("productionProcessName", lambda row: row.process.name),
    Column("itemKey", lambda row: row.item.key if row.item else ""),
    Column("itemName", lambda row: row.item.name if row.item else text("price_of_all")),
    Column("price", lambda row: None if row.price is None else with_minor_units(row.price, plant_currency())),
    Column("currency", lambda row: plant_currency()),
    Column("unit", lambda row: text(f"unit_{row.unit}")),
    Column("since", lambda row: row.since),
    Column("username", lambda row: row.user_name),
)


def _cell(row: ProcessItemPrice) -> schemas.PriceCellOut:
    return schemas.PriceCellOut(
        id=row.pk,
        production_process_id=row.process_id,
        unit=PriceUnit(row.unit),
        price=row.price,
        since=row.since,
    )


def _item_price(row: ProcessItemPrice) -> schemas.ProcessItemPriceOut:
    return schemas.ProcessItemPriceOut(
        **dict(_cell(row)),
        production_process_name=row.process.name,
        item_id=row.item_id,
        item_key=row.item.key if row.item else None,
        item_name=row.item.name if row.item else None,
        currency=plant_currency(),
        user_id=row.user_id,
        username=row.user_name or None,
        version=row.version,
    )


def _asked(body: schemas.PriceCellIn) -> services.PriceCell:
    return services.PriceCell(body.production_process_id, body.item_id, body.unit, body.price)


@item_prices.get(
    "",
    auth=Requires(Permission.ListPiecePrices),
    operation_id="process_item_price_list",
)
def item_price_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.ItemPriceQuery]
) -> list[schemas.ProcessItemPriceOut] | HttpResponseBase:
    """List past, current and planned piece prices, the latest first. `search` searches the product."""
    rows = matching(selectors.item_prices(), query.search, *selectors.PRODUCT_OF_ROW)
    filters = {"process": query.production_process_id, "item": query.item_id, "item__isnull": query.of_all}
    rows = rows.filter(**{name: value for name, value in filters.items() if value is not None})
    if query.format:
        return export(request, rows, query, selectors.ITEM_PRICES, ITEM_PRICE_COLUMNS, services.ITEM_PRICES)
    return [_item_price(row) for row in announce(paginate(rows, query, selectors.ITEM_PRICES), request, response)]


@item_prices.get(
    "/grid",
    auth=Requires(Permission.ListPiecePrices),
    operation_id="process_item_price_grid",
)
def item_price_grid(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.PriceGridQuery]
) -> list[schemas.PriceRowOut] | HttpResponseBase:
    """List active products with their own piece prices, now and planned. `format`: the grid as a file to import."""
    rows = selectors.matching(selectors.price_grid(clock.now(), priced=query.priced), query.search).filter(status=True)
    if query.format:
        columns = PRICE_GRID.current().columns
        return export(request, rows, query, selectors.PRICE_GRID, columns, services.ITEM_PRICES)
    return [
        schemas.PriceRowOut(
            id=row.pk,
            key=row.key,
            name=row.name,
            name_english=row.name_english,
            prices=[_cell(one) for one in row.prices_now],
            planned=[_cell(one) for one in row.prices_planned],
        )
        for row in announce(paginate(rows, query, selectors.PRICE_GRID), request, response)
    ]


@item_prices.get(
    "/columns",
    auth=Requires(Permission.ListPiecePrices),
    operation_id="process_item_price_columns",
)
def item_price_columns(request: HttpRequest) -> list[schemas.PriceColumnOut]:
    """List the active processes, each with its price for products that have no price of their own."""
    return [
        schemas.PriceColumnOut(
            production_process_id=column.process.pk,
            production_process_name=column.process.name,
            unit=column.now.unit,
            price=column.now.price,
            currency=plant_currency(),
            since=column.since,
            planned=[_cell(one) for one in column.planned],
        )
        for column in selectors.price_columns(clock.now())
    ]


@item_prices.post(
    "",
    auth=Requires(Permission.UpdatePiecePrices),
    operation_id="process_item_price_create",
)
def item_price_create(request: HttpRequest, body: schemas.ProcessItemPriceIn) -> Created[schemas.ProcessItemPriceOut]:
    """Set a product's price in a process, from now or a later time on. Pieces that have left already keep theirs."""
    return Created(_item_price(services.price_create(cell=_asked(body), since=body.since, by=caller(request))))


def item_prices_written(request: HttpRequest, price_ids: list[int]) -> list[schemas.PriceWrittenOut]:
    """Return the written prices again if the request of `item_prices_set` is repeated, without those deleted since."""
    return _written(ProcessItemPrice.objects.filter(pk__in=price_ids).order_by("pk"))


def _written(rows: Iterable[ProcessItemPrice]) -> list[schemas.PriceWrittenOut]:
    return [schemas.PriceWrittenOut(id=row.pk, version=row.version) for row in rows]


@item_prices.put(
    "",
    auth=Requires(Permission.UpdatePiecePrices),
    operation_id="process_item_price_set",
    repeat=Repeat(item_prices_written, made="price_ids"),
)
def item_prices_set(request: HttpRequest, body: schemas.ProcessItemPricesIn) -> list[schemas.PriceWrittenOut]:
    """Set many cells of the grid, from now or a later time on. Returns the prices that were written.

    A cell that already has the given price is not written.
    """
    cells = [_asked(cell) for cell in body.cells]
    return _written(services.prices_set(cells=cells, since=body.since, by=caller(request)))


@item_prices.get(
    ITEM_PRICE,
    auth=Requires(Permission.ListPiecePrices),
    operation_id="process_item_price_get",
)
def item_price_get(request: HttpRequest, price_id: PathId) -> schemas.ProcessItemPriceOut:
    return _item_price(selectors.entry_get(selectors.item_prices(), price_id))


@item_prices.put(
    ITEM_PRICE,
    auth=Requires(Permission.UpdatePiecePrices),
    operation_id="process_item_price_update",
)
def item_price_change(
    request: HttpRequest, price_id: PathId, body: schemas.ProcessItemPriceChange
) -> schemas.ProcessItemPriceOut:
    """Change a piece price that has not begun. 409 `price_in_force` if it has begun."""
    changed = services.price_change(
        price_id=price_id, fields=given(body), by=caller(request), expected=if_match(request)
    )
    return _item_price(changed)


@item_prices.delete(
    ITEM_PRICE,
    auth=Requires(Permission.UpdatePiecePrices),
    operation_id="process_item_price_delete",
)
def item_price_delete(request: HttpRequest, price_id: PathId) -> schemas.ProcessItemPriceOut:
    """Delete a piece price that has not begun. 409 `price_in_force` if it has begun."""
    return _item_price(services.price_delete(price_id=price_id, by=caller(request)))

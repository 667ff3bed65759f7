"""REST of the catalogs: the operations that all of them share, and those of a single catalog."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.audit.exporting import exported
from project.catalogs import products, schemas, selectors
from project.catalogs.definition import CATALOGS
from project.catalogs.resources import PathId, catalog_router
from project.catalogs.terms import shared_catalogs
from project.catalogs.workbook import workbook
from project.core.exporting import CONTENT_TYPES
from project.core.money import plant_currency
from project.core.pagination import ListQuery, announce, paginate
from project.core.routing import domain_router

shared = domain_router("catalogs")
assets = domain_router("assets")


@shared.get(
    "",
    response=list[schemas.SharedCatalogOut],
    auth=SignedIn(customers=True, services=True),
    operation_id="shared_catalogs",
)
def shared_catalog_list(request: HttpRequest) -> Any:
    """List SAT units, countries, calling codes, currencies, customs and fiscal regimes, and statuses in both
    languages."""
    return [
        schemas.SharedCatalogOut(
            key=key,
            entries=[schemas.TermOut(code=term.code, name_es=term.name_es, name_en=term.name_en) for term in terms],
        )
        for key, terms in shared_catalogs().items()
    ]


@assets.get("/catalogs.xlsx", auth=SignedIn(), operation_id="catalogs_workbook")
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


@ordered_products.get(
    "/offered", response=list[products.OfferedProductOut], auth=ORDERS_PRODUCTS, operation_id="item_offered"
)
def products_offered(request: HttpRequest, query: Query[products.OfferedProductQuery]) -> Any:
    """List active products for a line of an order, the best matches first."""
    return [products.offered_product(row) for row in selectors.products_offered(query.search)[: query.limit]]


@ordered_products.post("/called", response=list[products.CalledOut], auth=ORDERS_PRODUCTS, operation_id="item_called")
def products_called(request: HttpRequest, body: products.CalledIn) -> Any:
    """Find the active products that the texts of a sheet mean: by key, else by name, ignoring case and accents."""
    found = selectors.products_called(body.texts)
    return [
        products.CalledOut(text=text, products=[products.offered_product(row) for row in rows])
        for text, rows in found.items()
    ]


price_history = domain_router("production-processes")


@price_history.get(
    "/{int:entry_id}/prices",
    response=list[schemas.ProcessPriceOut],
    auth=Requires(Permission.ListProductionProcesses),
    operation_id="production_process_prices",
)
def process_prices(request: HttpRequest, response: HttpResponse, entry_id: PathId, query: Query[ListQuery]) -> Any:
    """List the piece rates of a process, the current one first. Pieces are paid at the rate of the moment they left."""
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

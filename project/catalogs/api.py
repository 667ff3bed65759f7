"""REST of the catalogs: which there are, and what is particular to one (infra/docs/rules.md#catalogs)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit.exporting import exported
from project.catalogs import documents, offered, schemas, selectors, services
from project.catalogs.models import ShortList
from project.catalogs.resources import PathId, Resource, resource_router
from project.catalogs.services import CatalogDefinition
from project.catalogs.terms import shared_catalogs
from project.catalogs.workbook import workbook
from project.core.exporting import CONTENT_TYPES
from project.core.pagination import ListQuery, announce, paginate
from project.core.routing import domain_router


def _active(rows: QuerySet[Any], query: Any, by: Principal) -> QuerySet[Any]:
    return rows if query.active is None else rows.filter(active=query.active)


def short_list(
    definition: CatalogDefinition[Any], name: str, permission: str, instead: Mapping[str, str]
) -> Resource[Any]:
    """A short list: read by any of the staff, because every form with a customer or a release needs it."""
    return Resource(
        definition,
        name,
        permission,
        None,
        schemas.ShortListIn,
        schemas.ShortListChange,
        schemas.ShortListOut,
        documents.short_list,
        selectors.SHORT_LIST,
        query=schemas.ShortListQuery,
        option=ShortList.name_column,
        narrow=_active,
        instead=instead,
    )


shared = domain_router("catalogs")
assets = domain_router("assets")


@shared.get(
    "",
    response=list[schemas.SharedCatalogOut],
    auth=SignedIn(customers=True, services=True),
    operation_id="shared_catalogs",
)
def shared_catalog_list(request: HttpRequest) -> Any:
    """SAT units, countries, calling codes, currencies, customs and fiscal regimes, statuses, in both languages."""
    return [
        schemas.SharedCatalogOut(
            key=key,
            entries=[schemas.TermOut(code=term.code, name_es=term.name_es, name_en=term.name_en) for term in terms],
        )
        for key, terms in shared_catalogs().items()
    ]


@assets.get("/catalogs.xlsx", auth=SignedIn(), operation_id="catalogs_workbook")
def catalogs_workbook(request: HttpRequest) -> HttpResponse:
    """The catalogs that the caller may list as an XLSX file, one sheet each."""
    file, rows = workbook(caller(request))
    exported("catalogs.xlsx", filters={}, rows=rows, by=caller(request))
    response = HttpResponse(file, content_type=CONTENT_TYPES["xlsx"])
    response["Content-Disposition"] = 'attachment; filename="catalogs.xlsx"'
    return response


RESOURCES: tuple[Resource[Any], ...] = (
    Resource(
        services.COMPANIES,
        "company",
        "Company",
        Permission.ListCompanies,
        schemas.CompanyIn,
        schemas.CompanyChange,
        schemas.CompanyOut,
        documents.company,
        selectors.BY_NAME,
    ),
    Resource(
        services.EXPORT_TAX_ITEMS,
        "export_tax_item",
        "ExportTax",
        Permission.ListExportTax,
        schemas.ExportTaxItemIn,
        schemas.ExportTaxItemChange,
        schemas.ExportTaxItemOut,
        documents.export_tax_item,
        selectors.BY_CODE,
        query=schemas.TariffQuery,
        option=F("code"),
    ),
    Resource(
        services.CUSTOMERS,
        "customer",
        "Customer",
        Permission.ListCustomers,
        schemas.CustomerIn,
        schemas.CustomerChange,
        schemas.CustomerOut,
        documents.customer,
        selectors.BY_NAME,
    ),
    Resource(
        services.MATERIALS,
        "material",
        "Material",
        Permission.ListMaterials,
        schemas.MaterialIn,
        schemas.MaterialChange,
        schemas.MaterialOut,
        documents.material,
        selectors.BY_NAME,
    ),
    Resource(
        services.COMPONENTS,
        "component",
        "Component",
        Permission.ListComponents,
        schemas.ComponentIn,
        schemas.ComponentChange,
        schemas.ComponentOut,
        documents.component,
        selectors.BY_NAME,
    ),
    Resource(
        services.ITEMS,
        "item",
        "Item",
        Permission.ListItems,
        schemas.ItemIn,
        schemas.ItemChange,
        schemas.ItemOut,
        documents.item,
        selectors.BY_KEY,
    ),
    short_list(services.CUSTOMER_TYPES, "customer_type", "Customer", {"Delete": "Update"}),
    short_list(services.TAX_SECTIONS, "tax_section", "Customer", {"Delete": "Update"}),
    short_list(
        services.RELEASE_REASONS, "release_reason", "ProductionProcess", {"Create": "Update", "Delete": "Update"}
    ),
    short_list(services.SCRAP_REASONS, "scrap_reason", "ProductionProcess", {"Create": "Update", "Delete": "Update"}),
)

routers: dict[str, Router] = {resource.definition.catalog: resource_router(resource) for resource in RESOURCES}

ordered_products = domain_router("items")
ORDERS_PRODUCTS = Requires(
    Permission.CreateSalesOrder, Permission.UpdateSalesOrder, Permission.UpdateSalesOrderPosition
)


@ordered_products.get(
    "/offered", response=list[offered.OfferedProductOut], auth=ORDERS_PRODUCTS, operation_id="item_offered"
)
def products_offered(request: HttpRequest, query: Query[offered.OfferedProductQuery]) -> Any:
    """Active products for a line of an order, the likeliest first."""
    return [documents.offered_product(row) for row in selectors.products_offered(query.search)[: query.limit]]


@ordered_products.post("/called", response=list[offered.CalledOut], auth=ORDERS_PRODUCTS, operation_id="item_called")
def products_called(request: HttpRequest, body: offered.CalledIn) -> Any:
    """Which active products these texts mean, by key or else by name; no case, no accents. For a whole sheet."""
    found = selectors.products_called(body.texts)
    return [
        offered.CalledOut(text=text, products=[documents.offered_product(row) for row in rows])
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
    """The piece rates that a process has had, the present one first. Pieces are paid at the rate of the day they
    left."""
    page = paginate(selectors.process_prices(entry_id), query, selectors.PRICES_NEWEST_FIRST)
    return [documents.process_price(row) for row in announce(page, request, response)]

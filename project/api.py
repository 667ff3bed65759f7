"""Mount the routers under `/identity`, `/api` and the other base paths, and map every error to one shape.

See infra/docs/rules.md#errors.
"""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from project.audit.api import router as audit
from project.batches.api import router as batches
from project.billing.api import router as deliveries
from project.calendars.api import router as calendars
from project.catalogs.api import (
    assets,
    item_prices,
    ordered_products,
    price_history,
    routers as catalog_routers,
    shared,
)
from project.contract.document import documented
from project.contract.repeats import repeats_of
from project.core.errors import InvalidFields, MalformedJson, NotFound, Refusal, Unauthenticated
from project.core.idempotency import REPEATS
from project.core.middleware import refusal_of, refused
from project.core.validation import StrictParser, field_errors
from project.customer_links.api import (
    answers as customer_answers,
    links as customer_links,
    own as customer_page,
    pages as customer_pages,
)
from project.displays.api import router as displays
from project.doors.api import authentication as doors, ways
from project.forecasts.api import lines as line_forecasts, router as forecasts
from project.identity.api import authentication, live, own_password, permissions, roles
from project.importing.api import router as imports
from project.integrations.api import accounts as service_accounts, hooks as webhooks
from project.metal.api import router as metal
from project.notices.api import notifications, router as notices
from project.orders.api import router as sales_orders
from project.orders.shop_floor import router as shop_floor
from project.parts.api import router as parts
from project.personal_data.api import privacy, router as personal_data
from project.piecework.api import router as payments
from project.presses.api import of_lines as line_presses, router as presses
from project.printing.api import router as work_sheets, scanning, sheets as work_sheet_details
from project.reports.api import router as reports
from project.reports.calls import router as calls
from project.reports.metal import router as metal_reports
from project.reports.promises import router as promises
from project.reports.releases import router as releases
from project.reports.scrap import router as scrap
from project.search.api import router as search
from project.staffing.api import users
from project.start.api import router as start
from project.station.api import router as station
from project.talk.api import router as line_messages


class ObradorAPI(NinjaAPI):
    """The API. Its OpenAPI document also lists the errors of each operation."""

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> Any:
        return documented(super().get_openapi_schema(*args, **kwargs), self)


api = ObradorAPI(
    title="Obrador",
    description=(
        "Sales orders made of numbered lines, their movements through production processes, bills and piece work. "
        "Errors have one shape: a stable `code`, a `message` in the language of `Accept-Language` (es or en), `params` "
        "and one row in `errors` for each field. Lists answer an array, with `X-Total-Count` and a `Link` to the next "
        "page."
    ),
    version=settings.VERSION,
    openapi_url=None,
    docs_url=None,  # `docs.py` serves both and builds each once
    urls_namespace="api",
    parser=StrictParser(),
)
api.add_router("/identity/authentication", authentication)
api.add_router("/identity/authentication", doors)
api.add_router("/identity/ways", ways)
api.add_router("/identity/permissions", permissions)
api.add_router("/identity/roles", roles)
api.add_router("/identity/users", users)
api.add_router("/identity/users", own_password)
api.add_router("/identity/users", personal_data)
for path, router in catalog_routers.items():
    api.add_router(f"/api/{path}", router)
api.add_router("/api/items", ordered_products)
api.add_router("/api/production-processes", price_history)
api.add_router("/api/process-item-prices", item_prices)
api.add_router("/api/catalogs", shared)
api.add_router("/api/imports", imports)
api.add_router("/assets", assets)
api.add_router("/api/sales-order", sales_orders)
api.add_router("/api/sales-order/positions/production-processes", payments)
api.add_router("/api/sales-order", line_forecasts)
api.add_router("/api/sales-order", line_presses)
api.add_router("/api/sales-order", line_messages)
api.add_router("/api/presses", presses)
api.add_router("/api/forecasts", forecasts)
api.add_router("/api/reports/promises", promises)
api.add_router("/api/shop-floor", shop_floor)
api.add_router("/api/reports", reports)
api.add_router("/api/reports/calls", calls)
api.add_router("/api/reports/releases", releases)
api.add_router("/api/reports/scrap", scrap)
api.add_router("/api/reports", metal_reports)
api.add_router("/api/metal", metal)
api.add_router("/api/deliveries", deliveries)
api.add_router("/api/batches", batches)
api.add_router("/api/notifications", notifications)
api.add_router("/api/notices", notices)
api.add_router("/pdf", work_sheets)
api.add_router("/api/scan", scanning)
api.add_router("/api/work-sheets", work_sheet_details)
api.add_router("/api/audit", audit)
api.add_router("/api/search", search)
api.add_router("/api/station", station)
api.add_router("/api/displays", displays)
api.add_router("/api/service-accounts", service_accounts)
api.add_router("/api/webhooks", webhooks)
api.add_router("/api/live", live)
api.add_router("/api/start", start)
api.add_router("/api/parts", parts)
api.add_router("/api/privacy", privacy)
api.add_router("/api/customer-links", customer_links)
api.add_router("/api/customer-answers", customer_answers)
api.add_router("/api/customer-page", customer_page)
api.add_router("/api/c", customer_pages)
api.add_router("/api/calendar", calendars)
REPEATS.update(repeats_of(api))


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    if any(row["loc"][0] == "path" for row in error.errors):
        return refused(NotFound())
    return refused(InvalidFields(errors=field_errors(error.errors)))


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer Ninja's own errors. If `StrictParser` refuses a body, Ninja wraps that refusal in an `HttpError`."""
    if isinstance(error.__cause__, Refusal):
        return refused(error.__cause__)
    return refused(Unauthenticated() if error.status_code == 401 else MalformedJson())


@api.exception_handler(Refusal)
def refusal(request: HttpRequest, error: Refusal) -> HttpResponse:
    return refused(error)


@api.exception_handler(Http404)
@api.exception_handler(RequestDataTooBig)
@api.exception_handler(Exception)
def other(request: HttpRequest, error: Exception) -> HttpResponse:
    return refused(refusal_of(error))

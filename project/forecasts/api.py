"""REST of forecasts (infra/docs/rules.md#forecast)."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.core.routing import domain_router
from project.core.schemas import Id
from project.forecasts import documents, selectors
from project.forecasts.schemas import OfferedDaysQuery
from project.orders.selectors import line_get, processes_for

router = domain_router("forecasts")
lines = domain_router("forecasts")

READ = Requires(Permission.ListSalesOrders, Permission.ListOrders)
PathId = Annotated[Id, Path()]
LINE = "/{int:order_id}/position/{int:position}/forecast"


@router.get(
    "/offered",
    auth=Requires(Permission.CreateSalesOrder, Permission.UpdateSalesOrder),
    operation_id="forecast_offered",
)
def offered(request: HttpRequest, query: Query[OfferedDaysQuery]) -> list[documents.OfferedDaysOut]:
    """Return the days that are offered for new lines of these products."""
    return documents.offered_days(query.ids)


@lines.get(LINE, auth=READ, operation_id="forecast_reasons")
def reasons(request: HttpRequest, order_id: PathId, position: PathId) -> documents.ForecastReasonsOut:
    """Return what the forecast of a line rests on: similar lines, where they spent their time, and former forecasts."""
    by = caller(request)
    line = line_get(order_id, position, by)
    return documents.reasons(line, processes_for(by.user_id), selectors.kept_of(line))


@lines.get(LINE + "/first", auth=READ, operation_id="forecast_goes_first")
def goes_first(request: HttpRequest, order_id: PathId, position: PathId) -> documents.GoesFirstOut:
    """Return how much sooner a line would be done if it went before all others, and which lines would then wait longer.

    Changes nothing.
    """
    by = caller(request)
    return documents.goes_first(line_get(order_id, position, by), processes_for(by.user_id))

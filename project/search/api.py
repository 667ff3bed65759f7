"""REST API of the global search, called while the user types."""

from django.http import HttpRequest
from ninja import Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.routing import domain_router
from project.orders.presenters import line_rows
from project.orders.selectors import line_rows_of
from project.search import schemas, selectors

router = domain_router("search")

ORDERS = (Permission.ListSalesOrders, Permission.ListOrders)


@router.get(
    "",
    auth=Requires(
        *ORDERS,
        Permission.ListCustomers,
        Permission.ListItems,
        customers="their orders and lines, no customer and no product",
    ),
    operation_id="search",
)
def search(request: HttpRequest, query: Query[schemas.SearchQuery]) -> schemas.SearchOut:
    """Return the best few matches of each kind that the caller may list. Without words, return nothing.

    A line whose short code was typed comes first. At most 29 queries.
    """
    by, words = caller(request), selectors.words_of(query.q)
    if not words:
        return schemas.SearchOut(orders=[], lines=[], customers=[], products=[])
    orders: selectors.Found = []
    lines: selectors.Found = []
    if by.holds(*ORDERS):
        orders, lines = selectors.orders_and_lines(words, by)
        lines = with_standing(selectors.with_line_of_code(lines, query.q, by), by)
    return schemas.SearchOut.model_validate(
        {
            "orders": orders,
            "lines": lines,
            "customers": selectors.customers(words) if by.holds(Permission.ListCustomers) else [],
            "products": selectors.products(words) if by.holds(Permission.ListItems) else [],
        }
    )


def with_standing(found: selectors.Found, by: Principal) -> selectors.Found:
    """Add to each found line its state, as far as `by` may read it. At most 5 queries."""
    documents = {row.id: row for row in line_rows(line_rows_of([row["id"] for row in found]), by)}
    shown = set(schemas.FoundLine.model_fields) - {"short_code"}
    return [{**row, **documents[row["id"]].model_dump(include=shown)} for row in found if row["id"] in documents]

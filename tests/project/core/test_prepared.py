"""A prepared query returns the rows of the plain query, and its SQL is compiled once (decision 12)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from project.core.queries import MOST_IDS, prepared
from project.orders.models import Line
from tests.builders import Shop, move

Query = Callable[..., QuerySet[Any, Any]]


def lines(*ids: int) -> QuerySet[Line]:
    """Lines with joins, deferred columns and annotations."""
    rows = Line.objects.select_related("order__customer", "item")
    rows = rows.only("quantity", "order__status", "order__customer__name", "item__name")
    return rows.annotate(product=F("item__name")).filter(pk__in=ids).order_by("-pk")


def values(*ids: int) -> QuerySet[Any, Any]:
    return Line.objects.filter(pk__in=ids).order_by("pk").values_list("pk", "creation_date", "item__sell_price")


@pytest.fixture
def ids(shop: Shop) -> list[int]:
    order = shop.approved(3, 4, 5)
    move(shop.ana, "in", order, shop.casting)
    return list(Line.objects.order_by("pk").values_list("pk", flat=True))


@pytest.fixture
def sql_written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SQL that Django compiles from now on."""
    written: list[str] = []
    write = SQLCompiler.as_sql

    def noted(self: SQLCompiler, *args: Any, **options: Any) -> Any:
        sql, params = write(self, *args, **options)
        written.append(sql)
        return sql, params

    monkeypatch.setattr(SQLCompiler, "as_sql", noted)
    return written


def state(row: Any) -> Any:
    """Everything loaded in a row and its related rows."""
    if not isinstance(row, Line):
        return row
    loaded = {name: value for name, value in vars(row).items() if name != "_state"}
    related = row._state.fields_cache
    of_order = related["order"]._state.fields_cache
    return loaded, vars(related["order"])["status"], vars(related["item"])["name"], sorted(of_order)


@pytest.mark.parametrize("query", [lines, values])
def test_rows_equal_those_of_the_plain_query(query: Query, ids: list[int]) -> None:
    ask = prepared(query)

    for chosen in (ids, ids[:1], ids[1:], ids, [*ids[:2], 2**63 - 1], [2**63 - 1]):
        assert [state(row) for row in ask(*chosen)] == [state(row) for row in query(*chosen)], chosen


def test_sql_is_compiled_once_for_each_number_of_ids(ids: list[int], sql_written: list[str]) -> None:
    ask = prepared(lines)
    for chosen in (ids[:1], ids[1:2], ids[2:], ids[:2], ids[1:]):
        assert [line.pk for line in ask(*chosen)] == chosen[::-1]

    assert len(sql_written) == 2


def test_each_call_queries_the_database(ids: list[int], django_assert_num_queries: Any) -> None:
    ask = prepared(lines)
    with django_assert_num_queries(2):
        assert ask(ids[0])[0].quantity == 3
        assert ask(ids[1])[0].quantity == 4
    Line.objects.filter(pk=ids[0]).update(quantity=9)
    assert ask(ids[0])[0].quantity == 9


def test_long_list_of_ids_is_queried_like_any_query(ids: list[int]) -> None:
    many = [*ids, *range(10_000, 10_000 + MOST_IDS)]
    assert [line.pk for line in prepared(lines)(*many)] == ids[::-1]


def test_threads_use_their_own_connections(busy_shop: Shop) -> None:
    order = busy_shop.approved(*range(1, 21))
    by_quantity = dict(Line.objects.filter(order=order).values_list("quantity", "pk"))
    ask = prepared(lines)

    def asked(quantity: int) -> int:
        try:
            return ask(by_quantity[quantity])[0].quantity
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        wanted = [*by_quantity] * 10
        assert list(threads.map(asked, wanted)) == wanted

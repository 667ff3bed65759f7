"""The guards of operations: which kind of caller each one admits."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory
from django.urls import ResolverMatch

from project.access import guard, operators, principal
from project.access.guard import Requires, RequiresOrSelf, SignedIn
from project.access.operators import OperatorOver
from project.access.permissions import Permission
from project.access.principal import Principal, Station
from project.core import clock
from project.core.errors import PermissionDenied, Unauthenticated
from project.core.logs import current_user_id
from project.core.pagination import cursor_reader

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
PERSON = Principal(
    user_id=7,
    full_name="Ana Torres",
    permissions=frozenset({Permission.ListOrders}),
    jti="one",
    expires_at=NOW,
    token_version=1,
)
CUSTOMER = replace(PERSON, is_customer=True, customer_id=3)
DISPLAY = replace(PERSON, user_id=-4, is_display=True)
OPERATOR = replace(PERSON, station=Station(account=PERSON, operator_id=1, process_id=2, since=NOW, used_at=NOW))
SERVICE = replace(PERSON, user_id=11, is_service=True)
KINDS = {"person": PERSON, "customers": CUSTOMER, "displays": DISPLAY, "operators": OPERATOR}


@pytest.fixture(autouse=True)
def _no_callers_id_stays() -> Iterator[None]:
    """Forget whom a guard admitted, as the middleware does after each request: logs name them."""
    before = current_user_id.set(None)
    yield
    current_user_id.reset(before)


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


def request(path: str = "/api/items", **headers: str) -> HttpRequest:
    return RequestFactory().get(path, headers=headers)


def of(caller: Principal | None, path: str = "/api/items") -> HttpRequest:
    """A request with a verified token."""
    asked = request(path)
    asked.principal = caller  # type: ignore[attr-defined]
    return asked


@pytest.mark.parametrize("opened", ["", "customers", "displays", "operators"])
@pytest.mark.parametrize("kind", KINDS)
def test_guard_admits_people_and_the_kinds_it_names(kind: str, opened: str) -> None:
    open_to: dict[str, Any] = {opened: "their orders" if opened == "customers" else True} if opened else {}
    may = kind in ("person", opened)
    for guards in (
        SignedIn("their own", **open_to),
        Requires(Permission.ListOrders, **open_to),
        RequiresOrSelf(Permission.ListOrders, **open_to),
    ):
        assert guards.lets_in(of(KINDS[kind]), KINDS[kind]) == may
        if may:
            assert guard.admitted(of(KINDS[kind]), guards) is KINDS[kind]
        else:
            with pytest.raises(PermissionDenied):
                guard.admitted(of(KINDS[kind]), guards)


@pytest.mark.parametrize("services", [True, False])
def test_services_parameter_decides_whether_services_are_admitted(services: bool) -> None:
    for guards in (SignedIn("their own", services=services), Requires(Permission.ListOrders, services=services)):
        assert guards.lets_in(of(SERVICE), SERVICE) == services


def test_services_are_admitted_by_default_only_where_a_permission_for_them_is_required() -> None:
    assert not SignedIn("their own").lets_in(of(SERVICE), SERVICE)
    assert Requires(Permission.ListOrders).lets_in(of(SERVICE), SERVICE)
    assert not Requires(Permission.ListUsers).lets_in(of(SERVICE), SERVICE)


def test_one_of_the_required_permissions_is_enough() -> None:
    assert Requires(Permission.ListOrders, Permission.ListSalesOrders).lets_in(of(PERSON), PERSON)
    assert Requires(Permission.ListSalesOrders, Permission.ListOrders).lets_in(of(PERSON), PERSON)
    assert not Requires(Permission.ListSalesOrders).lets_in(of(PERSON), PERSON)
    assert not Requires().lets_in(of(PERSON), PERSON)
    assert SignedIn("their own").lets_in(of(PERSON), replace(PERSON, permissions=frozenset()))
    assert SignedIn("their own").admits(of(PERSON), replace(PERSON, permissions=frozenset()))


@pytest.mark.parametrize(
    ("query", "or_options", "may"),
    [
        ("?fields=options", True, True),
        ("?fields=options", False, False),
        ("?fields=all", True, False),
        ("", True, False),
    ],
)
def test_options_need_no_permission_where_the_guard_says_so(query: str, or_options: bool, may: bool) -> None:
    guards = Requires(Permission.ListItems, or_options=or_options)
    assert guards.lets_in(of(PERSON, f"/api/items{query}"), PERSON) == may


def test_options_need_no_permission_with_requires_or_self_either() -> None:
    asked = of(PERSON, "/api/items?fields=options")
    assert RequiresOrSelf(Permission.ListUsers, or_options=True).lets_in(asked, PERSON)


def test_options_need_the_permission_by_default() -> None:
    assert not Requires(Permission.ListItems).lets_in(of(PERSON, "/api/items?fields=options"), PERSON)


@pytest.mark.parametrize(("kwargs", "may"), [({"user_id": 7}, True), ({"user_id": "7"}, True), ({"user_id": 8}, False)])
def test_user_reaches_their_own_record_without_the_permission(kwargs: dict[str, Any], may: bool) -> None:
    guards = RequiresOrSelf(Permission.ListUsers)
    asked = of(PERSON)
    asked.resolver_match = ResolverMatch(lambda: None, (), kwargs)
    assert guards.lets_in(asked, PERSON) == may
    assert guards.lets_in(asked, replace(PERSON, permissions=frozenset({Permission.ListUsers})))


def test_request_without_a_resolved_user_id_is_no_own_record() -> None:
    asked = of(PERSON)
    assert asked.resolver_match is None
    assert not RequiresOrSelf(Permission.ListUsers).lets_in(asked, PERSON)
    asked.resolver_match = ResolverMatch(lambda: None, (), {})
    assert not RequiresOrSelf(Permission.ListUsers).lets_in(asked, PERSON)


def test_request_without_a_caller_is_not_admitted() -> None:
    assert guard.admitted(of(None), SignedIn("their own")) is None


def test_expired_operator_is_admitted_only_for_late_reports() -> None:
    late = replace(OPERATOR, station=replace(OPERATOR.station, used_at=NOW - operators.LASTS - timedelta(seconds=1)))
    assert guard.admitted(of(late), SignedIn("their own", operators=True, reported_later=True)) is late
    with pytest.raises(OperatorOver):
        guard.admitted(of(late), SignedIn("their own", operators=True))
    with pytest.raises(OperatorOver):
        guard.admitted(of(late), Requires(Permission.ListOrders, operators=True))


def test_cursor_is_bound_to_the_user_and_the_list() -> None:
    guard.admitted(of(PERSON, "/api/items?limit=2"), SignedIn("their own"))
    assert cursor_reader.get() == "7 /api/items"


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The verified tokens: `good` belongs to a person, `op` to an operator."""
    asked: list[str] = []

    def verify(token: str) -> Principal:
        asked.append(token)
        if token != "good":
            raise Unauthenticated
        return PERSON

    def verify_operators(token: str) -> Principal:
        if token != "op":
            raise Unauthenticated
        return OPERATOR

    monkeypatch.setattr(guard, "verify", verify)
    monkeypatch.setattr(operators, "verify", verify_operators)
    monkeypatch.setattr(operators, "is_operators", lambda token: token == "op")
    return asked


def test_log_has_the_callers_id() -> None:
    current_user_id.set(None)
    guard.principal_of(of(PERSON))
    assert current_user_id.get() == PERSON.user_id
    current_user_id.set(None)
    guard.principal_of(of(None))
    assert current_user_id.get() is None


def test_bearer_token_is_verified_once_per_request(verified: list[str]) -> None:
    for authorization in ("Bearer good", "bearer good", "BEARER  good "):
        asked = request(authorization=authorization)
        assert guard.principal_of(asked) is PERSON
        assert guard.principal_of(asked) is PERSON
    assert verified == ["good"] * 3
    assert guard.principal_of(request(authorization="Bearer op")) is OPERATOR


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer ", "Basic good", "good", "Token good"])
def test_request_without_a_bearer_token_has_no_caller(verified: list[str], authorization: str) -> None:
    headers = {"authorization": authorization} if authorization else {}
    asked = request(**headers)
    assert guard.principal_of(asked) is None
    assert guard.principal_of(asked) is None
    assert verified == []


def test_invalid_token_raises_unauthenticated(verified: list[str]) -> None:
    with pytest.raises(Unauthenticated):
        guard.principal_of(request(authorization="Bearer bad"))
    with pytest.raises(Unauthenticated):
        SignedIn("their own").authenticate(request(), "bad")
    assert SignedIn("their own").authenticate(request(), "good") is PERSON
    assert SignedIn("their own").authenticate(request(), "op") is OPERATOR


def test_guard_can_be_called_with_the_request(verified: list[str]) -> None:
    assert SignedIn("their own")(request(authorization="Bearer good")) is PERSON
    assert SignedIn("their own")(request()) is None
    with pytest.raises(PermissionDenied):
        Requires(Permission.ListUsers)(request(authorization="Bearer good"))


def test_caller_is_the_one_the_guard_admitted() -> None:
    asked = request()
    asked.auth = PERSON  # type: ignore[attr-defined]
    assert guard.caller(asked) is PERSON


def test_screen_of_an_operator_is_the_station_account() -> None:
    station = replace(PERSON, user_id=9)
    assert PERSON.screen is PERSON
    assert replace(OPERATOR, station=replace(OPERATOR.station, account=station)).screen is station


def test_subject_id_of_a_display_is_negative() -> None:
    assert principal.subject_of_display(4) == -4


class Rows:
    """A queryset that returns its filters."""

    def none(self) -> str:
        return "none"

    def filter(self, **by: int) -> dict[str, int]:
        return by


def test_customer_account_sees_only_rows_of_its_customer() -> None:
    rows: Any = Rows()
    assert principal.visible_to(rows, PERSON, customer="order__customer") is rows
    assert principal.visible_to(rows, CUSTOMER, customer="order__customer") == {"order__customer": 3}
    assert principal.visible_to(rows, replace(CUSTOMER, customer_id=None), customer="order__customer") == "none"


@pytest.mark.parametrize(
    ("caller", "read"),
    [(PERSON, {3, 4}), (CUSTOMER, {3}), (replace(CUSTOMER, customer_id=None), set())],
    ids=["staff", "customer", "account without a customer"],
)
def test_customer_account_may_read_only_records_of_its_customer(caller: Principal, read: set[int]) -> None:
    assert {customer for customer in (3, 4) if principal.may_read_of(customer, caller)} == read

"""Call every operation without a token, without its permission, and with it."""

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from project.access.guard import SignedIn
from project.access.permissions import ALL
from project.api import api
from project.core.routing import PUBLIC
from tests.builders import Caller, Shop, person, somebody
from tests.contract.operations import CUSTOMERS, SIGNED_IN, Operation, operations

EVERY = sorted(operations(), key=str)
GUARDED = [operation for operation in EVERY if operation.permissions]
OPEN = [operation for operation in EVERY if operation.name in SIGNED_IN]


def test_every_operation_without_a_permission_says_why() -> None:
    assert {operation.name for operation in EVERY if not operation.permissions} == {*SIGNED_IN, *PUBLIC}
    assert [name for name, why in (SIGNED_IN | CUSTOMERS | PUBLIC).items() if not why.strip()] == []


def test_every_operation_has_a_guard_even_if_the_document_leaves_it_out() -> None:
    bare = {
        str(operation.operation_id)
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        if not operation.auth_callbacks or not all(isinstance(one, SignedIn) for one in operation.auth_callbacks)
    }
    assert bare == set(PUBLIC)


def test_only_health_metrics_pictures_and_the_document_are_served_beside_operations() -> None:
    def addresses(resolver: URLResolver, base: str = "") -> set[str]:
        found: set[str] = set()
        for one in resolver.url_patterns:
            path = base + str(one.pattern)
            found |= {path} if isinstance(one, URLPattern) else addresses(one, path)
        return found

    operated = {
        (bound.prefix.strip("/") + path).replace("{", "<").replace("}", ">")
        for bound in api._get_bound_routers()
        for path in bound.path_operations
    }
    assert addresses(get_resolver()) - operated == {
        "",  # the root of the API, which answers 404
        "identity/authentication/company/back",
        ".well-known/security.txt",
        "api/docs",
        "api/openapi.json",
        "api/images/<str:place>",
        "health/live",
        "health/ready",
        "metrics",
        "operations/sales-order/<int:order_id>/position/<int:position>",
    }
    assert operated <= addresses(get_resolver())


def test_every_permission_of_an_operation_is_in_the_table() -> None:
    assert frozenset().union(*(operation.permissions for operation in EVERY)) <= ALL


def test_every_parameter_of_a_path_is_filled_in() -> None:
    assert not [operation.path for operation in EVERY if "{" in operation.path]


@pytest.mark.parametrize("operation", [*GUARDED, *OPEN], ids=str)
def test_a_caller_without_a_valid_token_gets_401(shop: Shop, operation: Operation) -> None:
    for caller in (shop.nobody, Caller(bearer="x.y.z")):
        answer = caller.call(operation.method, operation.path, {})
        assert (answer.status, answer.code) == (401, "unauthenticated")


@pytest.mark.parametrize("operation", [*GUARDED, *OPEN], ids=str)
def test_a_token_in_the_address_gets_401(shop: Shop, operation: Operation) -> None:
    for name in ("token", "access_token", "Authorization", "ticket"):
        answer = shop.nobody.call(operation.method, f"{operation.path}?{name}={shop.ana.bearer}", {})
        assert answer.status == 401


@pytest.mark.parametrize("operation", GUARDED, ids=str)
def test_a_caller_without_the_permission_gets_403(shop: Shop, operation: Operation) -> None:
    all_but_this = somebody(*(ALL - operation.permissions))
    for caller in (shop.carla, all_but_this):
        answer = caller.call(operation.method, operation.path, {})
        assert (answer.status, answer.code) == (403, "permission_denied")


@pytest.mark.parametrize("operation", GUARDED, ids=str)
def test_each_permission_of_an_operation_is_enough_alone(shop: Shop, operation: Operation) -> None:
    for action in operation.permissions:
        answer = somebody(action).call(operation.method, operation.path, {})
        # A shop is no empty installation.
        refused_here = 409 if operation.name in ("sample_load", "sample_remove") else 404
        assert answer.status in ((415,) if operation.takes_file else (200, 201, 404, 422, refused_here)), answer


@pytest.mark.parametrize("operation", OPEN, ids=str)
def test_a_caller_without_permissions_may_call_open_operations(shop: Shop, operation: Operation) -> None:
    answer = shop.carla.call(operation.method, operation.path, {})
    assert answer.status in (200, 201, 404, 422), answer


LISTS = [
    operation
    for operation in GUARDED
    if any(parameter["name"] == "fields" for parameter in operation.description.get("parameters", []))
]


@pytest.mark.parametrize("operation", LISTS, ids=str)
def test_options_are_open_to_everyone_signed_in_and_show_what_choices_need(shop: Shop, operation: Operation) -> None:
    shop.ana.post("/api/materials", {"name": "Plata"})
    shop.ana.post("/api/components", {"name": "Broche"})
    shop.ana.post("/api/companies", {"name": "Platería del Norte"})
    shop.ana.post("/api/export-tax-items", {"code": "7113119901"})
    answer = shop.carla.get(f"{operation.path}?fields=options")
    assert answer.status == 200
    assert answer.json
    more = {"nameEnglish", "order", "weighs"} if operation.name == "production_process_list" else set()
    assert {frozenset(row) for row in answer.json} == {frozenset({"id", "name"} | more)}
    for trick in ("fields=options&fields=", "fields=Options", "fields[]=options", "fields=", "Fields=options"):
        assert shop.carla.get(f"{operation.path}?{trick}").status == 403, trick
    assert shop.nobody.get(f"{operation.path}?fields=options").status == 401


def test_only_lists_behind_select_boxes_have_options() -> None:
    assert {operation.name for operation in LISTS} == {
        "company_list",
        "export_tax_item_list",
        "alloy_list",
        "component_list",
        "customer_list",
        "item_list",
        "material_list",
        "production_process_list",
        "role_list",
        "user_list",
    }


@pytest.mark.parametrize("state", [{"active": False}, {"locked": True}], ids=str)
def test_an_inactive_or_locked_account_gets_401(shop: Shop, state: dict[str, bool]) -> None:
    user = person("dora", *ALL)
    dora = Caller(user)
    assert dora.get("/api/materials").status == 200
    type(user).objects.filter(pk=user.pk).update(**state)
    assert dora.get("/api/materials").status == 401

"""`?fields=options` is open to callers who may not read the list, and reveals nothing but ids and names."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from project.catalogs.definition import CATALOGS
from project.catalogs.models import Customer, ExportTaxItem, Item, Tray
from project.core.folding import folded
from project.identity.models import User, UserType
from tests.builders import Answer, Caller, Shop, person, process
from tests.contract.operations import Operation, operations, schema

REDUCED = [
    operation
    for operation in operations()
    if any(parameter["name"] == "fields" for parameter in operation.description.get("parameters", []))
]
MORE = {"production_process_list": {"nameEnglish", "order", "weighs"}}
"""The fields of the options that have more than an id and a name."""
PLAIN = [
    (one.model, fields)
    for one in CATALOGS.values()
    if (fields := set(one.body.model_fields))
    <= {"name", "name_english", "description", "description_english", "status"}
]
"""The catalogs that need nothing but a name."""
SHORT_LISTS = {"customer_type_list", "tax_section_list", "release_reason_list", "scrap_reason_list"}
BY_ACTIVE = SHORT_LISTS | {"user_list"}
"""The lists whose entries have the flag `active`; those of others have `status`."""
OF_OPTIONS = {"limit", "cursor", "search", "ordering", "fields"}
TRIED = {"boolean": ["true", "false"], "integer": ["1", "2"], "string": ["Internal", "Customer", "a"]}


@pytest.fixture(autouse=True)
def _filled(shop: Shop) -> None:
    """Create entries that differ in fields which options hide."""
    for number, name in enumerate(("Ópalo", "Zafiro", "Ámbar")):
        taxes = {"tax_id": f"HIDDEN{number}", "search_text": f"{name} HIDDEN{number}".upper()}
        Customer.objects.create(name=name, quinto=f"HIDDEN{number}", **{**taxes, "status": number != 1})
        for model, fields in PLAIN:
            hidden = {"description": f"HIDDEN{number}"} if "description" in fields else {}
            model.objects.create(name=name, status=number != 1, **hidden)
        Tray.objects.create(code=name, mg=1_000 + number, status=number != 1)
        ExportTaxItem.objects.create(code=f"711311990{number}", english_description=f"HIDDEN{number}")
        process(name, order=9 - number, active=number != 1, price=f"1{number}.37")
        Item.objects.create(key=f"HIDDEN{9 - number}", name=name, sell_price=f"2{number}.41", status=number != 1)
        user = person(f"somebody{number}", "Dashboard")
        User.objects.filter(pk=user.pk).update(first_name=name, locked=number == 1, active=number != 2)
    shop.ana.post("/api/companies", {"name": "Zafiro", "taxId": "HIDDEN1", "email": "hidden1@obrador.test"})
    shop.ana.post("/api/companies", {"name": "Ópalo", "taxId": "HIDDEN2", "email": "hidden2@obrador.test"})


def reduced(caller: Caller, operation: Operation, **query: object) -> Answer:
    return caller.get(f"{operation.path}?{urlencode({'fields': 'options', **query})}")


def properties(operation: Operation) -> Iterator[str]:
    """The names of all fields of a row of the whole list."""
    answer = operation.description["responses"][200]["content"]["application/json"]["schema"]
    for kind in answer.get("anyOf", [answer]):
        name = kind["items"]["$ref"].rsplit("/", 1)[1]
        yield from schema()["components"]["schemas"][name]["properties"]


def kinds(parameter: dict[str, Any]) -> set[str]:
    return {one["type"] for one in parameter["schema"].get("anyOf", [parameter["schema"]])} - {"null"}


def words(value: Any) -> Iterator[str]:
    """All values in a row as text, without booleans."""
    match value:
        case dict():
            for inner in value.values():
                yield from words(inner)
        case list():
            for inner in value:
                yield from words(inner)
        case bool() | None:
            pass
        case _:
            yield str(value)


@pytest.mark.parametrize("operation", REDUCED, ids=str)
def test_options_are_ordered_by_name_or_id_only(shop: Shop, operation: Operation) -> None:
    for name in {*properties(operation), "pk", "search_text", "sell_price", "password", "shown"} - {"id", "name"}:
        for ordering in (name, f"-{name}"):
            answer = reduced(shop.carla, operation, ordering=ordering, limit=1)
            assert (answer.status, answer.fields) == (422, {"ordering": "not_a_choice"}), ordering
    rows = reduced(shop.carla, operation).json
    assert [row["id"] for row in reduced(shop.carla, operation, ordering="id").json] == sorted(r["id"] for r in rows)
    assert reduced(shop.carla, operation, ordering="-name").json == rows[::-1]
    assert reduced(shop.carla, operation, ordering="name").json == rows


@pytest.mark.parametrize("operation", REDUCED, ids=str)
def test_options_take_no_filter_but_the_one_for_active_entries(shop: Shop, operation: Operation) -> None:
    for parameter in operation.description["parameters"]:
        name = parameter["name"]
        if name in OF_OPTIONS or parameter["in"] != "query":
            continue
        for value in [one for kind in kinds(parameter) for one in TRIED[kind]]:
            active = "active" if operation.name in BY_ACTIVE else "status"
            if (name, value) == (active, "true"):
                continue
            answer = reduced(shop.carla, operation, **{name: value})
            assert answer.status == 422, (name, value)
            assert answer.fields in ({name: "not_with_options"}, {name: "not_a_choice"}), (name, value)


@pytest.mark.parametrize("operation", REDUCED, ids=str)
def test_options_are_searched_by_name_only(shop: Shop, operation: Operation) -> None:
    whole = shop.ana.get(operation.path).json
    shown = [row["name"] for row in reduced(shop.carla, operation).json]
    said = {word for word in words(whole) if not any(word.lower() in name.lower() for name in shown)}
    for word in {*said, "HIDDEN", "@"}:
        answer = reduced(shop.carla, operation, search=word[:200])
        assert (answer.status, answer.json, answer.headers["X-Total-Count"]) == (200, [], "0"), word
    for name in shown:
        found = reduced(shop.carla, operation, search=name.upper())
        assert name in [row["name"] for row in found.json]


@pytest.mark.parametrize("operation", REDUCED, ids=str)
def test_headers_of_options_give_only_the_total_and_the_next_page(shop: Shop, operation: Operation) -> None:
    answer = reduced(shop.carla, operation, limit=1)
    whole = reduced(shop.carla, operation)
    assert answer.headers["X-Total-Count"] == whole.headers["X-Total-Count"] == str(len(whole.json))
    beside = {"X-Total-Count", "Link"}
    assert {name for name in answer.headers if name.startswith("X-Total") or name == "Link"} <= beside
    for row in whole.json:
        assert set(row) == {"id", "name"} | MORE.get(operation.name, set())


@pytest.mark.parametrize("operation", REDUCED, ids=str)
def test_a_cursor_of_the_whole_list_is_refused_for_options(shop: Shop, operation: Operation) -> None:
    page = shop.ana.get(f"{operation.path}?limit=1&ordering=id")
    link = page.headers.get("Link", "<>").split(">")[0][1:]
    cursor = parse_qs(urlsplit(link).query)["cursor"][0]
    answer = reduced(shop.carla, operation, ordering="id", cursor=cursor)
    assert (answer.status, answer.fields) == (422, {"cursor": "unknown"})


def test_options_page_by_name(shop: Shop) -> None:
    names, page = [], "/api/items?fields=options&limit=1&ordering=-name"
    while page:
        answer = shop.carla.get(page)
        names += [row["name"] for row in answer.json]
        page = answer.headers.get("Link", "<>").split(">")[0][1:]
    assert len(names) == 4
    assert names == [row["name"] for row in shop.carla.get("/api/items?fields=options&ordering=-name").json]


NAMED = ["Jefatura de taller", "Taller", "Taller de cera", "Ataller", "TÁLLER B"]


def test_a_search_lists_equal_names_first_then_names_that_begin_with_it(shop: Shop) -> None:
    for name in NAMED:
        Customer.objects.create(name=name)
    nearest = ["Taller", "TÁLLER B", "Taller de cera", "Ataller", "Jefatura de taller"]
    path = "/api/customers?fields=options&search=taller"
    assert [row["name"] for row in shop.carla.get(path).json] == nearest
    names, page = [], f"{path}&limit=2"
    while page:
        answer = shop.carla.get(page)
        names += [row["name"] for row in answer.json]
        page = answer.headers.get("Link", "<>").split(">")[0][1:]
    assert names == nearest
    assert [row["name"] for row in shop.carla.get(f"{path}&ordering=name").json] == sorted(nearest, key=folded)


def test_options_of_processes_can_follow_the_order_of_the_plant(shop: Shop) -> None:
    path = "/api/production-processes?fields=options&ordering=place"
    rows = shop.carla.get(path).json
    assert [row["name"] for row in rows] == ["Fundición", "Pulido", "Ámbar", "Zafiro", "Ópalo"]
    found = shop.carla.get(f"{path}&search=o&limit=1")
    assert [row["name"] for row in found.json] == ["Fundición"]
    assert 'rel="next"' in found.headers["Link"]
    answer = shop.carla.get("/api/customers?fields=options&ordering=place")
    assert (answer.status, answer.fields) == (422, {"ordering": "not_a_choice"})


def test_select_boxes_offer_active_entries_only(shop: Shop) -> None:
    active = [row["name"] for row in shop.carla.get("/api/materials?fields=options&status=true&ordering=id").json]
    assert active == ["Ópalo", "Ámbar"]


def test_options_of_short_lists_have_names_in_the_caller_s_language(shop: Shop) -> None:
    assert {operation.name for operation in REDUCED} >= SHORT_LISTS
    row = {"key": "zinc", "nameSpanish": "Ñandú", "nameEnglish": "Heron", "active": False}
    made = shop.ana.post("/api/scrap-reasons", row).json["id"]
    path = "/api/scrap-reasons?fields=options"
    assert shop.carla.get(f"{path}&search=nandu").json == [{"id": made, "name": "Ñandú"}]
    assert shop.carla.get(f"{path}&search=heron", accept_language="en").json == [{"id": made, "name": "Heron"}]
    assert shop.carla.get(f"{path}&search=nandu", accept_language="en").json == []
    assert shop.carla.get(f"{path}&search=nandu&active=true").json == []


def test_options_of_people_have_the_full_name(shop: Shop) -> None:
    user = shop.carla.user
    for first, last, second in (("Eva", "", ""), ("Eva", "Ruiz", ""), ("Eva", "", "Paz"), ("Eva", "Ruiz", "Paz")):
        User.objects.filter(pk=user.pk).update(first_name=first, last_name=last, second_last_name=second)
        (row,) = shop.carla.get("/identity/users?fields=options&search=eva").json
        assert row == {"id": user.pk, "name": User.objects.get(pk=user.pk).full_name}


def test_options_of_people_follow_the_spanish_alphabet_without_service_accounts(shop: Shop) -> None:
    for number, name in enumerate(("Zoe", "Nuria", "bruno", "Ñico", "Olga", "Águeda")):
        user = person(f"sorted{number}", "Dashboard")
        User.objects.filter(pk=user.pk).update(first_name=name, last_name="Xool", second_last_name="")
    program = person("erp", "Dashboard")
    User.objects.filter(pk=program.pk).update(user_type=UserType.SERVICE, last_name="Xool")
    path = "/identity/users?fields=options&search=xool"
    answer = shop.carla.get(path)
    offered = [row["name"].removesuffix(" Xool") for row in answer.json]
    assert offered == ["Águeda", "bruno", "Nuria", "Ñico", "Olga", "Zoe"]
    assert answer.headers["X-Total-Count"] == "6"
    assert shop.carla.get(f"{path}&ordering=-name").json == answer.json[::-1]


def test_options_cost_one_query_after_authentication(shop: Shop, django_assert_num_queries: Any) -> None:
    shop.carla.get("/api/items")
    for operation in REDUCED:
        with django_assert_num_queries(2):  # one of them authenticates the caller
            reduced(shop.carla, operation)


def test_options_of_people_leave_out_who_has_left_if_they_are_asked_for_active_ones(shop: Shop) -> None:
    everybody = [row["name"] for row in shop.carla.get("/identity/users?fields=options").json]
    active = [row["name"] for row in shop.carla.get("/identity/users?fields=options&active=true").json]
    assert set(everybody) - set(active) == {"Ámbar Torres"}

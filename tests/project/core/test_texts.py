"""Texts with invisible or misleading characters are refused, and errors name the right field."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from project.catalogs.models import Material
from project.core.schemas import In
from project.core.validation import field_error
from project.orders.fields import TEXTS
from tests.builders import Shop
from tests.contract.operations import Operation, operations, schema

INVISIBLE = [
    "\u200b",
    "\u200d\ufeff",
    "\u3164",
    "\u2800",
    "\u00ad",
    "\u2060 \u200e",
    "\u115f\u1160",
    "\u0301",
    "\ufe0f",
    "\u00a0",
]
OVERRIDES = ["\u202e", "\u202a", "\u2066", "\u2069"]


def creations(shop: Shop, text: str) -> list[tuple[str, dict[str, Any], str]]:
    """Each write of a text that identifies something: path, body, field."""
    line = {"itemId": shop.item.pk, "quantity": 1}
    user = {"email": "dora@obrador.test", "password": "Taller.2026"}
    return [
        ("/api/materials", {"name": text}, "name"),
        ("/api/components", {"name": text}, "name"),
        ("/api/companies", {"name": text}, "name"),
        ("/api/customers", {"name": text}, "name"),
        ("/api/production-processes", {"name": text, "order": 1}, "name"),
        ("/api/items", {"key": text, "name": "Aro"}, "key"),
        ("/api/items", {"key": "A-1", "name": text}, "name"),
        ("/identity/roles", {"name": text}, "name"),
        ("/identity/users", {**user, "firstName": text}, "firstName"),
        (
            "/api/sales-order",
            {"customerId": shop.customer.pk, "customerSalesOrderId": text, "items": [line]},
            "customerSalesOrderId",
        ),
    ]


@pytest.mark.parametrize("text", INVISIBLE, ids=ascii)
def test_invisible_name_is_missing(shop: Shop, text: str) -> None:
    for path, body, field in creations(shop, text):
        answer = shop.ana.post(path, body)
        assert (answer.status, answer.fields) == (422, {field: "required"}), path


CONTROLS = ["\n", "\r", "\t", "\v", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\ufffe"]
OF_SEVERAL_LINES = {
    "notes",
    *map(to_camel, TEXTS),
    "description",
    "descriptionSpanish",
    "descriptionEnglish",
    "spanishDescription",
    "englishDescription",
    *("text of PageAnswerIn", "text of ApprovalRequestIn", "text of ReplyIn"),
    *("street", "exteriorNumber", "interiorNumber", "neighborhood", "city", "state", "postalCode", "country"),
}
COMPARED_ALONE = {
    "photo of ApprovalRequestIn",
    *("username", "password", "currentPassword", "newPassword", "confirmNewPassword"),
    *("token", "code", "badge", "search", "texts", "name of ErasureIn", "email of Recovery", "reason of ReleaseIn"),
    *("componentName", "materialName", "materialDescription"),
    *("image of LineChange", "type of LineChange", "status of LineChange"),
    *("url of WebhookIn", "url of WebhookChange", "types of WebhookIn", "types of WebhookChange"),
    *("endpoint of NoticeDeviceIn", "pin of MetalDayIn", "reason of ScrapIn"),
    *("reason of ScrappedIn", "reason of ScrappedPartIn", "challenge", "handle of PasskeyAnswer"),
}
"""Texts that are looked up, checked elsewhere or ignored, but not stored as typed."""


def taking(control: str) -> Iterator[str]:
    """Every field of every body that accepts a text, or a list of texts, with this character in it."""
    for body in set(bodies()):
        names = [info.alias or name for name, info in body.model_fields.items()]
        for value in (f"a{control}b", [f"a{control}b"]):
            refused = set()
            try:
                body.model_validate(dict.fromkeys(names, value))
            except ValidationError as error:
                refused = {row["loc"][0] for row in error.errors()}
            for name in set(names) - refused:
                yield name if name in OF_SEVERAL_LINES | COMPARED_ALONE else f"{name} of {body.__name__}"


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_one_line_text_has_no_control_characters(control: str) -> None:
    assert sorted(set(taking(control)) - OF_SEVERAL_LINES - COMPARED_ALONE) == []


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_name_has_no_control_characters(shop: Shop, control: str) -> None:
    for path, body, field in creations(shop, f"Pla{control}ta"):
        answer = shop.ana.post(path, body)
        assert (answer.status, answer.fields) == (422, {field: "invalid_text"}), path


def test_notes_and_addresses_keep_their_line_breaks(shop: Shop) -> None:
    address = {"kind": "Commercial", "street": "Av. Juárez 12\nInterior 3"}
    customer = shop.ana.post("/api/customers", {"name": "Sol", "addresses": [address]}).json
    assert customer["addresses"][0]["street"] == "Av. Juárez 12\nInterior 3"
    order = shop.order(1, notes="Urgente\nAvisar a Ana")
    assert shop.ana.get(f"/api/sales-order/{order}").json["notes"] == "Urgente\nAvisar a Ana"


@pytest.mark.parametrize("mark", OVERRIDES, ids=ascii)
def test_bidirectional_control_characters_are_refused(shop: Shop, mark: str) -> None:
    for path, body, field in creations(shop, f"Plata{mark}ataM"):
        answer = shop.ana.post(path, body)
        assert (answer.status, answer.fields) == (422, {field: "invalid_text"}), path
    answer = shop.ana.put(f"/identity/users/{shop.carla.id}", {"lastName": f"T{mark}orres"})
    assert answer.fields == {"lastName": "invalid_text"}


def test_name_is_stored_composed_and_without_invisible_edges(shop: Shop) -> None:
    written = "\ufeff \u200b" + unicodedata.normalize("NFD", "Ópalo \U0001f468\u200d\U0001f527") + " \u200b\u2060 "
    answer = shop.ana.post("/api/materials", {"name": written})
    assert answer.json["name"] == "Ópalo \U0001f468\u200d\U0001f527"
    assert shop.ana.post("/api/materials", {"name": "Ópalo \U0001f468\u200d\U0001f527\u200b"}).code == "already_exists"
    assert Material.objects.count() == 1


def test_name_is_measured_after_composition(shop: Shop) -> None:
    answer = shop.ana.post("/api/materials", {"name": "\u0958" * 200})
    assert answer.fields == {"name": "too_long"}
    assert shop.ana.post("/api/materials", {"name": "\u0958" * 100}).status == 201


@pytest.mark.parametrize(
    "email", ["do\u200bra@obrador.test", "dora@obra\u3164dor.test", "dora\u00ad@obrador.test"], ids=ascii
)
def test_e_mail_with_invisible_characters_is_refused(shop: Shop, email: str) -> None:
    body = {"email": email, "password": "Taller.2026", "firstName": "Dora"}
    assert shop.ana.post("/identity/users", body).fields == {"email": "invalid_email"}


# Field names in errors.


def properties(found: Any) -> Iterator[str]:
    """Every field name in a schema, at any depth."""
    if isinstance(found, dict):
        if isinstance(found.get("properties"), dict):
            yield from found["properties"]
        for inner in found.values():
            yield from properties(inner)
    elif isinstance(found, list):
        for inner in found:
            yield from properties(inner)


def kinds(found: dict[str, Any]) -> list[Any]:
    """The types a value may have, without null."""
    return [one for one in found.get("anyOf", []) if one.get("type") != "null"]


QUERIES = [
    (operation, parameter["name"])
    for operation in sorted(operations(), key=str)
    for parameter in operation.description.get("parameters", [])
    if parameter["in"] == "query" and len(kinds(parameter["schema"])) > 1
]


def test_no_field_is_named_like_a_type() -> None:
    """Those words are removed from the field's path if it accepts several types."""
    names = set(properties(schema()["components"]["schemas"])) - set(
        properties(schema()["components"]["schemas"]["Error"])
    )
    assert not [
        name for name in names if not name[0].islower() or name in ("int", "str", "bool", "float", "decimal", "none")
    ]


def test_some_filters_accept_several_types() -> None:
    assert {operation.name for operation, _ in QUERIES} >= {"report_sales_orders"}


@pytest.mark.parametrize(("operation", "name"), QUERIES, ids=str)
def test_invalid_filter_of_several_types_is_named_once(shop: Shop, operation: Operation, name: str) -> None:
    answer = shop.ana.get(f"{operation.path}?{name}=x%20y")
    assert answer.status == 422, answer
    assert [row["field"] for row in answer.json["errors"]] == [name]


def bodies(kind: type[In] = In) -> Iterator[type[In]]:
    """Every request body."""
    for narrower in kind.__subclasses__():
        yield narrower
        yield from bodies(narrower)


@pytest.mark.parametrize("wrong", [[], {}, [{}], "x y", 1.5, True], ids=repr)
def test_every_field_of_every_body_is_named_plainly_in_errors(wrong: object) -> None:
    for body in set(bodies()):
        names = {info.alias or name: info for name, info in body.model_fields.items()}
        try:
            body.model_validate(dict.fromkeys(names, wrong))
        except ValidationError as error:
            for row in error.errors():
                plain = field_error({**row, "loc": ("body", "body", *row["loc"])}).field
                first, *rest = plain.split(".")
                assert first in names, (body, plain)
                assert all(re.fullmatch(r"\d+|[a-z][A-Za-z0-9]*", part) for part in rest), (body, plain)


def test_unknown_field_is_named_as_sent(shop: Shop) -> None:
    body = {"name": "Plata", "Colour": 1, "int": 2, "a-b": 3, "str-enum[Status]": 4}
    assert shop.ana.post("/api/materials", body).fields == dict.fromkeys(set(body) - {"name"}, "unknown_field")

"""The OpenAPI document is complete and in camelCase."""

import json
import re
from collections.abc import Iterator
from functools import cache
from inspect import unwrap
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, create_model

from project.access.permissions import OF_SERVICES, OF_THE_OFFICE, Permission
from project.api import api
from project.contract import generated
from project.core.exporting import CONTENT_TYPES
from project.core.idempotency import NOT_KEPT
from project.core.schemas import In, Out
from project.core.versions import if_match
from realtime import registry
from realtime.registry import Frame
from tests.builders import Caller, Shop
from tests.contract.operations import operations, schema

CAMEL = re.compile(r"[a-z][a-zA-Z0-9]*")
# Existing clients read this spelling.
NOT_CAMEL_CASE = {"access_token"}


def inside(value: Any) -> Iterator[Any]:
    """`value` and everything in it."""
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(inner)


@cache
def documents() -> dict[str, str]:
    """The exported documents. They are made once, because that is slow."""
    return generated.documents()


def test_the_export_is_the_same_each_time(tmp_path: Path) -> None:
    """The second export writes nothing."""
    assert {str(path.relative_to(tmp_path)) for path in generated.export(tmp_path)} == set(documents())
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in documents()} == documents()
    assert generated.export(tmp_path) == []


def test_every_reference_leads_somewhere() -> None:
    document = schema()
    references = {part["$ref"] for part in inside(document) if isinstance(part, dict) and "$ref" in part}
    assert references
    for reference in references:
        found: Any = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in found, reference
            found = found[step]


def test_every_schema_is_referred_to() -> None:
    document = schema()
    references = {part["$ref"] for part in inside(document) if isinstance(part, dict) and "$ref" in part}
    listed = {f"#/components/{kind}/{name}" for kind, rows in document["components"].items() for name in rows}
    schemes = {one for one in listed if one.startswith("#/components/securitySchemes/")}
    assert listed - schemes - {"#/components/schemas/LiveFrame"} == references


def test_the_document_has_a_server_a_description_and_a_license() -> None:
    document = schema()
    assert [server["url"] for server in document["servers"]] == ["/"]
    assert document["info"]["description"]
    assert set(document["info"]["license"]) == {"name", "identifier"}


def test_an_operation_names_its_security_or_that_it_is_public() -> None:
    public = {operation.name for operation in operations() if operation.description["security"] == []}
    assert public == {
        *("sign_in", "recover_password", "reset_password", "privacy_get"),
        *("sign_in_doors", "second_factor", "second_factor_app", "passkey_sign_in_options", "passkey_sign_in"),
        *("second_factor_passkey_options", "second_factor_passkey", "company_sign_in", "company_sign_in_finish"),
        *("display_pairing_create", "display_pairing_get"),
        *("page_get", "page_ticket", "page_answer_create", "page_paper", "calendar_feed"),
        *("notice_unsubscribe", "notice_unsubscribe_page"),
    }
    assert all("security" in operation.description for operation in operations())


def test_no_json_is_documented_as_bytes() -> None:
    kinds = [
        content["application/json"]
        for content in inside(schema())
        if isinstance(content, dict) and "application/json" in content
    ]
    assert kinds
    assert [kind for kind in kinds if kind.get("schema", {}).get("format") == "binary"] == []


def test_every_keyword_of_a_schema_is_standard_json_schema() -> None:
    """Pydantic writes other bounds under names of its own, which readers of the document ignore."""
    bounds = {
        "additionalProperties", "anyOf", "const", "default", "description", "discriminator", "enum", "exclusiveMinimum",
        "format", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength",
        "minProperties", "minimum", "multipleOf", "oneOf", "pattern", "prefixItems", "properties", "required", "title",
        "type",
    }  # fmt: skip
    schemas = [
        part
        for part in inside(schema())
        if isinstance(part, dict) and (isinstance(part.get("type"), str) or isinstance(part.get("anyOf"), list))
    ]
    assert len(schemas) > 1_000
    said = {name for part in schemas for name in part} - bounds
    assert said == {"scheme", "x-audience", "x-customers", "x-private"}, "`scheme` names the bearer token"


def test_a_decimal_in_a_request_is_a_number() -> None:
    sent = schema()["components"]["schemas"]["ItemIn"]["properties"]
    assert sent["sellPrice"]["type"] == sent["taxAmount"]["type"] == "number"
    assert (sent["taxAmount"]["minimum"], sent["taxAmount"]["maximum"], sent["taxAmount"]["multipleOf"]) == (
        0,
        100,
        0.0001,
    )
    assert sent["sellPrice"]["default"] == 0


def test_every_field_and_query_is_camel_case() -> None:
    names = {
        name
        for part in inside(schema()["components"]["schemas"])
        if isinstance(part, dict) and isinstance(part.get("properties"), dict)
        for name in part["properties"]
    }
    queries = {
        parameter["name"]
        for operation in operations()
        for parameter in operation.description.get("parameters", [])
        if parameter["in"] == "query"
    }
    assert {name for name in names | queries if not CAMEL.fullmatch(name)} == NOT_CAMEL_CASE


def test_operations_that_read_the_version_document_it() -> None:
    """Every PUT documents it. Another write declares that it reads it."""
    reading = {
        str(operation.operation_id)
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        if if_match.__name__ in unwrap(operation.view_func).__code__.co_names and "PUT" not in operation.methods
    }
    assert {one.name for one in operations() if "If-Match" in one.parameters and one.method != "PUT"} == reading
    assert {"sales_order_approve", "sales_order_position_scrap", "batch_close"} <= reading


def test_every_operation_documents_its_refusals_headers_and_permissions() -> None:
    for operation in operations():
        assert operation.description["responses"]["default"] == {"$ref": "#/components/responses/Refusal"}
        assert "x-permissions" in operation.description
        headers = {p["name"] for p in operation.description.get("parameters", []) if p["in"] == "header"}
        assert ("Idempotency-Key" in headers) == (operation.method != "GET" and operation.name not in NOT_KEPT)
        assert "If-Match" in headers or operation.method != "PUT"
        assert "If-Match" not in headers or operation.method != "GET"


def test_operation_names_are_unique() -> None:
    names = [operation.name for operation in operations()]
    assert len(names) == len(set(names))


REDIRECTS = {"notice_unsubscribe_page"}
"""Operations that send a browser to a page."""


def test_creations_succeed_with_201_and_other_operations_with_200() -> None:
    for operation in operations():
        declared = {str(status) for status in operation.description["responses"]} - {"default"}
        if operation.name in REDIRECTS:
            continue
        assert declared in ({"200"}, {"201"}), operation.name
        assert (declared == {"201"}) == operation.name.endswith(("_create", "_picture_put")), operation.name


def bodies(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield all subclasses of `kind`."""
    for narrower in kind.__subclasses__():
        yield narrower
        yield from bodies(narrower)


def test_no_two_bodies_share_a_name() -> None:
    """One would silently replace the other in the document and in the client's types."""
    places: dict[str, set[str]] = {}
    for base in (In, Out, Frame):
        for body in bodies(base):
            # Skip the models that `changes()` makes: they are defined in the core and named after their original.
            if body.__module__ != In.__module__ and body.__module__.startswith(("project.", "realtime.")):
                places.setdefault(body.__name__, set()).add(body.__module__)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}
    assert len(places) > 30


def test_the_exported_permissions_are_those_of_the_table() -> None:
    assert schema()["components"]["schemas"]["Permission"]["enum"] == list(Permission)
    tables = json.loads(documents()[generated.TABLES])
    assert set(tables["ofTheOffice"]) == OF_THE_OFFICE
    assert set(tables["ofServices"]) == OF_SERVICES
    sent = {name: (set(event["readers"]), event["es"], event["en"]) for name, event in tables["webhookEvents"].items()}
    types = registry.event_types().items()
    assert sent == {name: (event.audience & OF_SERVICES, *event.webhook) for name, event in types if event.webhook}
    # A webhook is sent nothing that its account may not read, nor what goes to one person.
    assert all(readers for readers, _, _ in sent.values())


def test_every_live_event_says_when_it_comes_and_who_receives_it() -> None:
    schemas = schema()["components"]["schemas"]
    frames = {
        name: schemas[reference.rsplit("/", 1)[1]]
        for name, reference in schemas["LiveFrame"]["discriminator"]["mapping"].items()
    }
    assert set(frames) == set(registry.event_types()) | {"hello", "reset", "presence"}
    for name, event in registry.event_types().items():
        assert frames[name]["description"].endswith(".")
        assert set(frames[name]["x-audience"]) == event.audience
        assert [one["path"] for one in frames[name]["x-private"]] == [field.path for field in event.private]
    assert frames["line.moved"]["x-customers"]
    assert not frames["notification.created"]["x-customers"]


def test_an_event_that_does_not_say_when_it_comes_is_refused() -> None:
    fields = {"type": (Literal["never"], "never"), "data": (registry.UserData, ...)}
    with pytest.raises(ValueError, match="Unsaid needs a docstring"):
        create_model("Unsaid", __base__=registry.Event, **fields)  # type: ignore[call-overload]
    assert "never" not in registry.event_types()


def test_the_document_and_its_page_are_served(db: None) -> None:
    nobody = Caller()
    assert nobody.get("/api/openapi.json").json["info"]["version"] == "2.3.0"
    page = nobody.get("/api/docs")
    assert page.status == 200
    assert all(operation.template in page.text for operation in operations())
    assert "http" not in page.text, "the page loads nothing from other sites"
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")


@pytest.mark.parametrize("path", ["/api/openapi.json", "/api/docs"])
def test_the_document_and_its_page_are_built_once(db: None, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = Caller()
    first = nobody.get(path)

    def built_again(*args: object, **kwargs: object) -> None:
        raise AssertionError("built again")

    monkeypatch.setattr(api, "get_openapi_schema", built_again)
    assert nobody.get(path).content == first.content
    known = nobody.get(path, if_none_match=first.headers["ETag"])
    assert (known.status, known.content) == (304, b"")
    assert nobody.post(path, {}).status == 405


def test_every_body_refuses_undeclared_fields() -> None:
    document = schema()
    for operation in operations():
        body = operation.description.get("requestBody")
        if body is None or operation.takes_file:
            continue
        reference = body["content"]["application/json"]["schema"]["$ref"].removeprefix("#/components/schemas/")
        assert document["components"]["schemas"][reference]["additionalProperties"] is False, operation.name


def test_answers_are_camel_case_and_instants_end_in_z(shop: Shop) -> None:
    order = shop.approved(5)
    shop.enter(order, shop.casting, 2)
    shop.leave(order, shop.casting, 1)
    for path in (
        f"/api/sales-order/{order}",
        "/api/shop-floor",
        "/api/customers",
        "/identity/users",
        "/identity/roles",
    ):
        answer = shop.ana.get(path)
        parts = [part for part in inside(answer.json) if isinstance(part, dict)]
        assert {name for part in parts for name in part if not CAMEL.fullmatch(name)} == set()
        texts = [part for part in inside(answer.json) if isinstance(part, str)]
        instants = [text for text in texts if re.match(r"\d{4}-\d{2}-\d{2}T", text)]
        assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z", text) for text in instants)


def test_a_list_with_a_format_documents_the_content_types_of_its_files() -> None:
    kinds = {
        operation.name: set(operation.description["responses"][200]["content"])
        for operation in operations()
        if any(parameter["name"] == "format" for parameter in operation.description["parameters"])
    }
    assert {"payable_list", "payment_list"} <= set(kinds)
    assert {frozenset(kind) for kind in kinds.values()} == {frozenset({"application/json", *CONTENT_TYPES.values()})}


def test_each_event_that_a_webhook_may_name_is_described_with_its_frame_and_headers(shop: Shop) -> None:
    account = shop.ana.post("/api/service-accounts", {"name": "Bodega", "permissions": ["ListOrders"]}).json
    described = schema()["webhooks"]
    body = {"name": "Bodega", "url": "https://example.com/hook", "accountId": account["id"], "types": [*described]}
    assert shop.ana.post("/api/webhooks", body).json["types"] == sorted(described)
    others = sorted(set(registry.event_types()) - set(described))
    refused = shop.ana.post("/api/webhooks", {**body, "name": "Otro", "types": others})
    assert set(refused.fields.values()) == {"unknown"}
    for name, sent in described.items():
        frame = sent["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert schema()["components"]["schemas"][frame]["properties"]["type"]["const"] == name
    headers = [schema()["components"]["parameters"][one]["name"] for one in ("webhook-id", "webhook-signature")]
    assert headers == ["webhook-id", "webhook-signature"]

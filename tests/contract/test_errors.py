"""Every refusal has the same shape, from an operation, from Ninja or from Django."""

import json
import logging

import pytest

from project.access.permissions import Permission
from project.core import clock, texts
from project.orders import selectors
from project.orders.models import SalesOrder
from tests.builders import Answer, Shop, line_path, move, somebody

ORDERS = "/api/sales-order"


def shaped(answer: Answer, status: int, code: str) -> Answer:
    """Check the shape of a refusal. Return it."""
    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/json"), answer
    body = answer.json
    assert set(body) == {"code", "message", "params", "errors"}
    assert body["code"] == code
    assert isinstance(body["params"], dict)
    assert body["message"]
    assert "{" not in body["message"]
    for row in body["errors"]:
        assert set(row) == {"field", "code", "message"}
        assert row["message"]
        assert "{" not in row["message"]
    return answer


@pytest.mark.parametrize("raw", [b"{", b"nul", b'{"a": NaN}', b'{"a": Infinity}', b"\xff\xfe", b"[" * 100_000])
def test_malformed_json_is_400(shop: Shop, raw: bytes) -> None:
    shaped(shop.ana.call("POST", "/api/materials", raw=raw), 400, "malformed_json")


def test_a_missing_body_is_422(shop: Shop) -> None:
    answer = shaped(shop.ana.post("/api/materials"), 422, "invalid_fields")
    assert answer.fields == {"body": "required"}


def test_a_number_of_5000_digits_is_400(shop: Shop) -> None:
    shaped(shop.ana.call("POST", "/api/materials", raw=b'{"name": ' + b"9" * 5_000 + b"}"), 400, "malformed_json")


@pytest.mark.parametrize("raw", [b"[]", b'"text"', b"1", b"null", b"true"])
def test_json_that_is_not_an_object_is_422(shop: Shop, raw: bytes) -> None:
    shaped(shop.ana.call("POST", "/api/materials", raw=raw), 422, "invalid_fields")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer x", "Bearer a.b.c", "Bearer ñ"])
def test_a_missing_or_foreign_token_is_401(shop: Shop, header: str) -> None:
    answer = shaped(shop.nobody.get(ORDERS, authorization=header), 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_call_without_the_permission_is_403(shop: Shop) -> None:
    shaped(shop.carla.get(ORDERS), 403, "permission_denied")


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/api/nowhere",
        "/api/sales-order/",
        "/api/sales-order/999999",
        "/api/sales-order/0",
        "/api/sales-order/99999999999999999999999",
        "/api/sales-order/abc",
        "/api/sales-order/%00",
        "/api/sales-order/1/position/99999999999999999999999",
        "/api/%F0%9F%98%80",
        "/api/..%2f..%2fetc/passwd",
    ],
)
def test_an_unknown_path_or_record_is_404(shop: Shop, path: str) -> None:
    shaped(shop.ana.get(path), 404, "not_found")
    shaped(shop.nobody.get("/nowhere"), 404, "not_found")


@pytest.mark.parametrize(("method", "path"), [("PATCH", ORDERS), ("DELETE", ORDERS), ("POST", "/api/shop-floor")])
def test_an_unsupported_method_is_405_and_names_the_allowed_ones(shop: Shop, method: str, path: str) -> None:
    answer = shaped(shop.ana.call(method, path), 405, "method_not_allowed")
    assert "GET" in answer.headers["Allow"]


def test_a_conflict_is_409(shop: Shop) -> None:
    shaped(shop.move("in", shop.order(1), shop.casting), 409, "line_not_approved")
    shaped(shop.ana.put(f"{line_path(shop.order(1))}/update-status/Done"), 409, "illegal_status")


def test_a_stale_version_is_412(shop: Shop) -> None:
    answer = shop.ana.put(f"{ORDERS}/{shop.order(1)}", {"notes": "x"}, if_match='"99"')
    shaped(answer, 412, "stale_version")


@pytest.mark.parametrize("headers", [{}, {"idempotency_key": "k"}], ids=["plain", "with a key"])
def test_a_body_that_is_too_large_is_413(shop: Shop, headers: dict[str, str]) -> None:
    raw = json.dumps({"name": "x" * 3_000_000}).encode()
    shaped(shop.ana.call("POST", "/api/materials", raw=raw, **headers), 413, "body_too_large")


def test_refused_fields_are_422_with_one_row_each(shop: Shop) -> None:
    body = {"name": " ", "order": True, "price": "1", "status": 1, "userIds": ["1"], "colour": "red"}
    answer = shaped(shop.ana.post("/api/production-processes", body), 422, "invalid_fields")
    assert answer.fields == {
        "name": "required",
        "order": "invalid_type",
        "price": "invalid_type",
        "status": "invalid_type",
        "userIds.0": "invalid_type",
        "colour": "unknown_field",
    }


def test_too_many_attempts_are_429(shop: Shop, quick_passwords: None) -> None:
    for _ in range(6):
        answer = shop.nobody.post("/identity/authentication/sign-in", {"username": "ana@obrador.test", "password": "x"})
    shaped(answer, 429, "too_many_attempts")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("headers", [{}, {"idempotency_key": "k"}], ids=["plain", "with a key"])
def test_an_unexpected_error_is_500_and_reveals_no_detail(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, headers: dict[str, str]
) -> None:
    def breaks(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("the canary sings")

    monkeypatch.setattr(selectors, "order_get", breaks)
    monkeypatch.setattr("project.orders.services.order_get", breaks)
    with caplog.at_level(logging.ERROR):
        answers = [shop.ana.get(f"{ORDERS}/1"), shop.ana.put(f"{ORDERS}/{shop_order(shop)}", {"notes": "x"}, **headers)]
    for answer in answers:
        shaped(answer, 500, "server_error")
        assert "canary" not in answer.text
        assert "ZeroDivision" not in answer.text
    assert "the canary sings" in caplog.text


def shop_order(shop: Shop) -> int:
    """Create an order without the API, which cannot read orders in this test."""
    order = SalesOrder.objects.create(
        customer=shop.customer,
        customer_sales_order_id="PO-X",
        sales_order_date=clock.today(),
        creation_date=clock.now(),
    )
    return order.pk


LANGUAGES = {
    "": "No tiene",
    "es": "No tiene",
    "es-MX,es;q=0.9,en;q=0.5": "No tiene",
    "fr": "No tiene",
    "en": "You do not have permissions for this action.",
    "en-GB,en;q=0.9,es;q=0.1": "You do not have permissions for this action.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_follow_accept_language_spanish_by_default(shop: Shop, language: str) -> None:
    message = shop.carla.get(ORDERS, accept_language=language).json["message"]
    english = texts.texts("en")["permission_denied"]
    assert message == (english if LANGUAGES[language] == english else texts.texts("es")["permission_denied"])


def test_a_404_of_django_follows_accept_language_too(shop: Shop) -> None:
    assert shop.ana.get("/nowhere", accept_language="en").json["message"] == texts.texts("en")["not_found"]
    assert shop.ana.get("/nowhere").json["message"] == texts.texts("es")["not_found"]


@pytest.mark.parametrize("letter", ["\x00", "\ud800"])
def test_characters_that_a_database_cannot_store_are_422_for_their_field(shop: Shop, letter: str) -> None:
    answer = shop.ana.post("/api/materials", {"name": f"pla{letter}ta"})
    assert (answer.status, answer.fields) == (422, {"name": "invalid_text"})
    answer = shop.ana.post("/api/materials", {"name": "plata", f"x{letter}": 1})
    assert answer.status == 422
    body = {"customerId": shop.customer.pk, "customerSalesOrderId": "P", "items": [{"itemId": 1, "notes": letter}]}
    assert shop.ana.post(ORDERS, body).fields == {"items.0.notes": "invalid_text"}


@pytest.mark.parametrize("query", ["search=%00", "search=a%00b", "cursor=%00", "ordering=%00", "status=%00"])
def test_a_nul_in_a_query_is_422(shop: Shop, query: str) -> None:
    assert shop.ana.get(f"{ORDERS}?{query}").status == 422


def test_text_of_every_alphabet_is_kept(shop: Shop) -> None:
    name = "Ñandú 💍 銀 <img src=x onerror=alert(1)>"
    answer = shop.ana.post("/api/materials", {"name": name})
    assert answer.json["name"] == name


def test_every_answer_has_its_safety_headers_and_a_request_id(shop: Shop) -> None:
    for answer in (shop.ana.get(ORDERS), shop.nobody.get(ORDERS), shop.ana.get("/nowhere")):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize(("given", "kept"), [("abc-1", True), ("a b", False), ("x" * 65, False)])
def test_a_valid_request_id_is_kept_and_an_invalid_one_is_replaced(shop: Shop, given: str, kept: bool) -> None:
    assert (shop.ana.get(ORDERS, x_request_id=given).headers["X-Request-Id"] == given) == kept


def test_a_403_is_the_same_for_existing_and_missing_records(shop: Shop) -> None:
    order = shop.order(1)
    right = somebody(Permission.Dashboard)
    assert right.get(f"{ORDERS}/{order}").text == right.get(f"{ORDERS}/{order + 1_000}").text


def test_moving_in_another_person_s_process_is_403_not_your_process(shop: Shop) -> None:
    shaped(move(shop.beto, "in", shop.approved(1), shop.casting), 403, "not_your_process")

"""Names are compared as people read them and stored as typed, on every database."""

import json
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import Value
from django.db.models.functions import Lower

from project.catalogs.models import Item, Material
from project.core.folding import BLANKS, HYPHENS, ZERO_WIDTH, folded, name_key
from project.core.spanish import NameKey
from project.displays.models import Display
from project.orders.models import SalesOrder
from tests.builders import Shop

TABLE = json.loads((Path(__file__).parents[2] / "contract" / "names.json").read_text(encoding="utf-8"))
"""`folded.test.ts` checks the web client against the same table."""
NAME = "Latón pulido B-1"
READ_ALIKE = {
    "decomposed": unicodedata.normalize("NFD", NAME),
    "two blanks": "Latón  pulido B-1",
    "no-break space": "Latón\u00a0pulido B-1",
    "narrow and ideographic spaces": "Latón\u202f\u3000pulido\u2009B-1",
    "zero width space": "La\u200btón pulido B-1",
    "joiner": "Latón pulido B-1\u200d",
    "soft hyphen": "Latón pu\u00adlido B-1",
    "byte order mark": "\ufeffLatón pulido B-1",
    "non-breaking hyphen": "Latón pulido B\u20111",
    "en dash": "Latón pulido B\u20131",
    "minus": "Latón pulido B\u22121",
    "case": "LATÓN PULIDO b-1",
}
OTHER_NAMES = ["Laton pulido B-1", "Latónpulido B-1", "Latón pulido B1", "Latón pulido B_1"]
read_alike = pytest.mark.parametrize("typed", READ_ALIKE.values(), ids=READ_ALIKE.keys())


def of_each_kind(shop: Shop, name: str) -> list[tuple[Any, str, dict[str, Any], str]]:
    """Each write of a name that must be unique: caller, path, body, field."""
    return [
        (shop.ana, "/api/materials", {"name": name}, "name"),
        (shop.ana, "/api/components", {"name": name}, "name"),
        (shop.ana, "/api/companies", {"name": name}, "name"),
        (shop.ana, "/api/customers", {"name": name}, "name"),
        (shop.ana, "/api/production-processes", {"name": name, "order": 1}, "name"),
        (shop.ana, "/api/items", {"key": name, "name": f"Aro {name.encode().hex()}"[:200]}, "key"),
        (shop.ana, "/api/items", {"key": f"K {name.encode().hex()}"[:200], "name": name}, "name"),
        (shop.ana, "/identity/roles", {"name": name}, "name"),
        (shop.ana, "/api/service-accounts", {"name": name, "permissions": []}, "name"),
        (
            shop.ana,
            "/api/sales-order",
            {
                "customerId": shop.customer.pk,
                "customerSalesOrderId": name,
                "items": [{"itemId": shop.item.pk, "quantity": 1}],
            },
            "customerSalesOrderId",
        ),
    ]


def test_names_are_compared_as_in_the_web_client() -> None:
    assert all(name_key(one) == name_key(other) for one, other in TABLE["alike"])
    assert not any(name_key(one) == name_key(other) for one, other in TABLE["apart"])
    assert [folded(text) for text, _ in TABLE["folded"]] == [plain for _, plain in TABLE["folded"]]


@read_alike
def test_name_that_reads_like_another_is_taken(shop: Shop, typed: str) -> None:
    for caller, path, body, _ in of_each_kind(shop, NAME):
        assert caller.post(path, body).status == 201, path
    for caller, path, body, field in of_each_kind(shop, typed):
        answer = caller.post(path, body)
        assert (answer.status, answer.code, answer.fields) == (409, "already_exists", {field: "already_exists"}), path


@pytest.mark.parametrize("other", OTHER_NAMES)
def test_name_that_reads_differently_is_free(shop: Shop, other: str) -> None:
    for name in (NAME, other):
        assert shop.ana.post("/api/materials", {"name": name}).status == 201


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Latón  pulido", "Latón  pulido"),
        ("Latón\u00a0pulido B\u20111", "Latón\u00a0pulido B\u20111"),
        ("La\u200btón\u00ad pulido\ufeff ", "Latón pulido"),
        ("e\u200b\u0301", "é"),
        ("Latón\u200d pulido\ufe0f", "Latón pulido"),
        ("\U0001f468\u200d\U0001f527 \u2764\ufe0f", "\U0001f468\u200d\U0001f527 \u2764\ufe0f"),
    ],
    ids=ascii,
)
def test_name_is_stored_as_typed_without_invisible_characters(shop: Shop, typed: str, kept: str) -> None:
    assert shop.ana.post("/api/materials", {"name": typed}).json["name"] == kept


@read_alike
def test_database_refuses_a_name_that_reads_like_another(shop: Shop, typed: str) -> None:
    Material.objects.create(name=NAME)
    with pytest.raises(IntegrityError), transaction.atomic():
        Material.objects.create(name=typed)
    Item.objects.create(key=NAME, name="Aro")
    with pytest.raises(IntegrityError), transaction.atomic():
        Item.objects.create(key=typed, name="Broche")


def test_database_refuses_a_second_order_with_the_same_po_for_a_customer(shop: Shop) -> None:
    shop.order(1, customerSalesOrderId="PO-1")
    order = SalesOrder.objects.get()
    twin = {"sales_order_date": order.sales_order_date, "creation_date": order.creation_date}
    with pytest.raises(IntegrityError), transaction.atomic():
        SalesOrder.objects.create(customer=order.customer, customer_sales_order_id="po\u20111", **twin)


def test_name_of_a_revoked_display_is_free(shop: Shop) -> None:
    Display.objects.create(name=NAME, active=False)
    Display.objects.create(name=NAME)
    with pytest.raises(IntegrityError), transaction.atomic():
        Display.objects.create(name=NAME.replace(" ", "\u00a0"))


IN_A_COLUMN = "".join(letter for letter in ZERO_WIDTH if letter <= "\uffff")  # other characters are never stored
LETTERS = "İIıΟΔΟΣςßẞÉǅ½Ａ" + BLANKS.replace("\t\n", "") + HYPHENS + IN_A_COLUMN + "O\u0301 \u0301"


@pytest.mark.parametrize("name", [NAME, *READ_ALIKE.values(), *LETTERS.split("\n"), *LETTERS[:13]], ids=ascii)
def test_database_and_python_compute_the_same_key(db: None, name: str) -> None:
    Material.objects.create(name=name)
    kept = Material.objects.annotate(key=NameKey("name"), typed=NameKey(Value(name))).get(name__name_key=name)
    assert (kept.key, kept.typed) == (name_key(name), name_key(name))  # type: ignore[attr-defined]
    assert Material.objects.filter(name__name_key__in=["Plata", name]).count() == 1


@read_alike
def test_search_matches_names_that_read_alike(shop: Shop, typed: str) -> None:
    """In both directions: the name or the search has the variant spelling."""
    for name, search in ((NAME, typed), (typed, NAME)):
        assert shop.ana.post("/api/materials", {"name": name}).status == 201
        assert [row["name"] for row in shop.ana.get(f"/api/materials?{urlencode({'search': search})}").json] != []
        Material.objects.all().delete()


@read_alike
def test_product_key_is_found_in_any_spelling(shop: Shop, typed: str) -> None:
    shop.ana.post("/api/items", {"key": NAME, "name": "Broche"})
    for text in (typed, typed.lower(), folded(typed)):
        [found] = shop.ana.post("/api/items/called", {"texts": [text]}).json
        assert [row["key"] for row in found["products"]] == [NAME]


def test_every_unique_name_is_compared_as_read() -> None:
    """No constraint on a typed text compares characters only."""
    compared = {
        f"{model.__name__}.{expression.get_source_expressions()[0].name}": type(expression)
        for model in apps.get_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        for expression in constraint.expressions
        if isinstance(expression, models.Func)
    }
    assert compared.pop("User.email") is Lower
    assert set(compared.values()) == {NameKey}
    assert len(compared) == 20

"""Products offered to users who write orders: while they type, and for the rows of a sheet."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import Item
from tests.builders import Shop, item, somebody

OFFERED = "/api/items/offered"
CALLED = "/api/items/called"


def product(key: str, name: str, **fields: object) -> Item:
    return Item.objects.create(key=key, name=name, sell_price="10", **fields)


def names(rows: list[dict[str, str]]) -> list[str]:
    return [row["name"] for row in rows]


def test_search_finds_words_in_key_and_name_in_any_order_without_accents(shop: Shop) -> None:
    product("DJ-9", "Dije corazón liso")
    product("DJ-8", "Dije estrella")
    for search in ("corazon dije", "LISO cor", "dj-9", "9 corazón"):
        assert names(shop.ana.get(f"{OFFERED}?search={search}").json) == ["Dije corazón liso"]
    assert shop.ana.get(f"{OFFERED}?search=corazon estrella").json == []


def test_product_with_exactly_this_key_comes_first(shop: Shop) -> None:
    product("A-10", "Anillo diez")
    product("A-1", "Anillo uno")
    product("B-A-1", "Broche")
    assert names(shop.ana.get(f"{OFFERED}?search=a-1").json) == ["Anillo uno", "Anillo diez", "Broche"]
    assert len(shop.ana.get(f"{OFFERED}?search=a-1&limit=1").json) == 1


def test_search_finds_products_by_their_english_name_too(shop: Shop) -> None:
    product("X-1", "Anillo Violeta", description_english="Violet ring in silver")
    product("X-2", "Aretes", description_english="Earrings with a violet ring")
    found = shop.ana.get(f"{OFFERED}?search=violet ring").json
    assert names(found) == ["Anillo Violeta", "Aretes"], "names that begin with it come first"


def test_search_ignores_descriptions_and_inactive_products(shop: Shop) -> None:
    product("X-1", "Pulsera", description_spanish="secreta")
    product("X-2", "Pulsera vieja", status=False)
    assert shop.ana.get(f"{OFFERED}?search=secreta").json == []
    assert names(shop.ana.get(f"{OFFERED}?search=pulsera").json) == ["Pulsera"]


def test_texts_of_a_sheet_match_products_by_key_or_name(shop: Shop) -> None:
    product("DJ-9", "Dije corazón")
    product("Dije estrella", "Otro")
    product("DJ-8", "Dije estrella")
    product("DJ-7", "Viejo", status=False)
    answer = shop.ana.post(CALLED, {"texts": ["dj-9", "DIJE CORAZON", "dije estrella", "DJ-7", "nada"]})
    assert {row["text"]: names(row["products"]) for row in answer.json} == {
        "dj-9": ["Dije corazón"],
        "DIJE CORAZON": ["Dije corazón"],
        "dije estrella": ["Otro"],  # a key takes precedence over a name
        "DJ-7": [],
        "nada": [],
    }


def test_texts_in_other_alphabets_match_too(shop: Shop) -> None:
    product("ß-1", "Straße Ωmega")
    rows = shop.ana.post(CALLED, {"texts": ["ß-1", "STRAßE ωmega", "日本", "’"]}).json
    assert [names(row["products"]) for row in rows] == [["Straße Ωmega"], ["Straße Ωmega"], [], []]


def test_text_that_matches_two_products_returns_both(shop: Shop) -> None:
    product("N-1", "Pena")
    product("N-2", "Peña")
    answer = shop.ana.post(CALLED, {"texts": ["PENA"]})
    assert names(answer.json[0]["products"]) == ["Pena", "Peña"]


def test_500_texts_cost_one_query_more_than_none(shop: Shop) -> None:
    keys = [item().key for _ in range(60)]
    shop.ana.post(CALLED, {"texts": []})
    with CaptureQueriesContext(
        connection,
    ) as none:
        shop.ana.post(CALLED, {"texts": []})
    with CaptureQueriesContext(connection) as many:
        answer = shop.ana.post(CALLED, {"texts": keys + [f"nada {number}" for number in range(440)]})
    assert sum(len(row["products"]) for row in answer.json) == 60
    assert len(many) == len(none) + 1


def test_offered_products_need_permission_to_write_orders(shop: Shop) -> None:
    assert shop.carla.get(OFFERED).status == 403
    assert somebody("ListItems").post(CALLED, {"texts": ["a"]}).status == 403
    assert somebody("CreateSalesOrder").get(OFFERED).status == 200
    assert somebody("UpdateSalesOrder").post(CALLED, {"texts": ["a"]}).status == 200


def test_more_texts_than_lines_of_an_order_get_422(shop: Shop) -> None:
    assert shop.ana.post(CALLED, {"texts": ["a"] * 5_001}).status == 422

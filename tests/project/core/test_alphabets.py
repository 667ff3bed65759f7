"""Names are unique regardless of case, found without accents, and sorted as in Spanish, on every database."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

import project
from project.core.spanish import MOST_WORDS, words
from tests import builders
from tests.builders import Shop


@pytest.mark.parametrize(
    ("path", "body", "twin"),
    [
        ("/api/materials", {"name": "Ñandú Ámbar"}, {"name": "ñANDÚ áMBAR"}),
        ("/api/components", {"name": "Broche Él"}, {"name": "BROCHE ÉL"}),
        ("/identity/roles", {"name": "Diseño"}, {"name": "DISEÑO"}),
    ],
)
def test_name_is_unique_regardless_of_case_also_of_accented_letters(
    shop: Shop, path: str, body: dict[str, str], twin: dict[str, str]
) -> None:
    assert shop.ana.post(path, body).status == 201
    assert shop.ana.post(path, twin).code == "already_exists"


@pytest.mark.parametrize(
    "search", ["ámbar", "ÁMBAR", "ñandú á", "ÑANDÚ", "ambar", "nandu", "AMBAR NANDU", "a\u0301mbar", "  ámbar  ñ "]
)
def test_search_finds_words_in_any_order_without_case_or_accents(shop: Shop, search: str) -> None:
    shop.ana.post("/api/materials", {"name": "Ñandú Ámbar"})
    shop.ana.post("/api/materials", {"name": "Ambos Nombres"})
    found = shop.ana.get(f"/api/materials?{urlencode({'search': search})}").json
    assert [row["name"] for row in found] == ["Ñandú Ámbar"]


def test_stored_decomposed_letters_are_found(shop: Shop) -> None:
    shop.ana.post("/api/materials", {"name": "O\u0301palo"})
    for search in ("opalo", "ópalo", "O\u0301palo"):
        assert len(shop.ana.get(f"/api/materials?{urlencode({'search': search})}").json) == 1


@pytest.mark.parametrize(
    "path", ["/api/sales-order", "/api/sales-order/positions", "/api/reports", "/api/items", "/api/customers"]
)
def test_lists_of_orders_and_catalogs_search_alike(shop: Shop, path: str) -> None:
    customer = builders.customer("Joyería Ópalo")
    shop.order(1, customerId=customer.pk, items=[{"itemId": builders.item("Joya Ópalo").pk, "quantity": 1}])
    shop.order(1)
    for search in ("opalo", "ópalo jo", "JO OPALO"):
        answer = shop.ana.get(f"{path}?{urlencode({'search': search})}").json
        assert len(answer["salesOrderPositions"] if isinstance(answer, dict) else answer) == 1, (path, search)


@pytest.mark.parametrize(
    ("path", "search"), [("/identity/users", "torres ANA"), ("/identity/roles", "do ána"), ("/api/audit", "torres áná")]
)
def test_people_are_found_by_any_of_their_names(shop: Shop, path: str, search: str) -> None:
    shop.order(1)
    assert len(shop.ana.get(f"{path}?{urlencode({'search': search})}").json) == 1


def test_searches_do_not_use_icontains() -> None:
    """`icontains` ignores case but not accents, so lists search with `spanish.matching`.

    Two modules may use it: the sweep after an erasure, which replaces names as they are stored, and the global
    search, which also searches folded texts.
    """
    root = Path(project.__file__).parent
    sources = {path for path in root.rglob("*.py") if "icontains" in path.read_text(encoding="utf-8")}
    assert sources == {root / "personal_data" / "sweeping.py", root / "search" / "selectors.py"}


def test_words_beyond_the_limit_become_one() -> None:
    assert len(words("a " * 200)) == MOST_WORDS


NAMES = ["Zafiro", "Álamo", "alambre", "Ñame", "Nogal", "Oro", "ópalo", "nuez"]
SORTED = ["alambre", "Álamo", "Nogal", "nuez", "Ñame", "ópalo", "Oro", "Zafiro"]


@pytest.mark.parametrize("size", [1, 3, 200])
@pytest.mark.parametrize("sign", ["", "-"])
def test_names_are_sorted_as_in_spanish_over_pages(shop: Shop, size: int, sign: str) -> None:
    for name in NAMES:
        assert shop.ana.post("/api/materials", {"name": name}).status == 201
    found, cursor = [], ""
    while cursor is not None:
        answer = shop.ana.get(f"/api/materials?ordering={sign}name&limit={size}{cursor}")
        found += [row["name"] for row in answer.json]
        following = re.search(r"cursor=[^&>]+", answer.headers.get("Link", ""))
        cursor = f"&{following[0]}" if following else None
    assert found == (SORTED if not sign else SORTED[::-1])


@pytest.mark.parametrize(
    ("search", "found"), [("100%25", 1), ("%25", 1), ("a_b", 1), ("_", 1), ("\\", 1), ("a%0Ab", 3), ("axb", 0)]
)
def test_search_takes_wildcards_literally(shop: Shop, search: str, found: int) -> None:
    for name in ("plata 100% pura", "a_b", "back\\slash", "a  b"):
        assert shop.ana.post("/api/materials", {"name": name}).status == 201
    assert len(shop.ana.get(f"/api/materials?search={search}").json) == found

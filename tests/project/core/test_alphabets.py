"""Names are one without case in Spanish too, on every database."""

import pytest

from tests.builders import Shop


@pytest.mark.parametrize(
    ("path", "body", "twin"),
    [
        ("/api/materials", {"name": "Ñandú Ámbar"}, {"name": "ñANDÚ áMBAR"}),
        ("/api/components", {"name": "Broche Él"}, {"name": "BROCHE ÉL"}),
        ("/identity/roles", {"name": "Diseño"}, {"name": "DISEÑO"}),
    ],
)
def test_a_name_is_taken_whatever_the_case_of_its_accented_letters(
    shop: Shop, path: str, body: dict[str, str], twin: dict[str, str]
) -> None:
    assert shop.ana.post(path, body).status == 201
    assert shop.ana.post(path, twin).code == "already_exists"


@pytest.mark.parametrize("search", ["ámbar", "ÁMBAR", "ñandú á", "ÑANDÚ"])
def test_a_search_finds_accented_letters_without_case(shop: Shop, search: str) -> None:
    shop.ana.post("/api/materials", {"name": "Ñandú Ámbar"})
    assert len(shop.ana.get(f"/api/materials?search={search}").json) == 1


@pytest.mark.parametrize(
    ("search", "found"), [("100%25", 1), ("%25", 1), ("a_b", 1), ("_", 1), ("\\", 1), ("a%0Ab", 1), ("axb", 0)]
)
def test_a_search_means_its_letters(shop: Shop, search: str, found: int) -> None:
    for name in ("plata 100% pura", "a_b", "back\\slash", "a\nb"):
        assert shop.ana.post("/api/materials", {"name": name}).status == 201
    assert len(shop.ana.get(f"/api/materials?search={search}").json) == found

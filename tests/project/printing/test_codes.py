"""The codes on work sheets: readable here, by whoever may see lines, and nowhere else."""

import pytest

from project.access.permissions import Permission
from project.printing.codes import Place, UnknownCode, seal, unseal
from tests.builders import Shop, somebody

NEW, OLD = "n" * 40, "o" * 40


def scan(shop: Shop, code: str) -> object:
    answer = shop.ana.post("/api/scan", {"code": code})
    return answer.json if answer.status == 200 else (answer.status, answer.code)


def test_a_code_leads_to_its_line(shop: Shop) -> None:
    order = shop.order(5, 6)
    assert scan(shop, seal(Place(order, 2))) == {"salesOrderId": order, "position": 2}


def test_a_scanner_may_add_blanks_and_lose_the_case(shop: Shop) -> None:
    order = shop.order(5)
    assert scan(shop, f" {seal(Place(order, 1)).lower()}\r\n") == {"salesOrderId": order, "position": 1}


def test_the_code_says_nothing_and_is_another_each_time() -> None:
    one, other = seal(Place(7, 1)), seal(Place(7, 1))
    assert one != other
    assert one.isalnum()  # what a QR packs densely,
    assert one.isupper()  # and every keyboard layout types alike
    assert unseal(one) == unseal(other) == Place(7, 1)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "hola",
        "operations/sales-order/1/position/1",
        "ñ" * 40,
        "A" * 112,
        "https://example.com/?a=1",
        "\x7f",
        "=" * 8,
    ],
)
def test_foreign_text_is_no_code(shop: Shop, code: str) -> None:
    assert scan(shop, code) == (422, "unknown_code")


def test_a_code_of_which_one_letter_changed_is_no_code(shop: Shop) -> None:
    code = seal(Place(shop.order(5), 1))
    for at in range(len(code) - 2):
        damaged = code[:at] + ("A" if code[at] != "A" else "B") + code[at + 1 :]
        with pytest.raises(UnknownCode):
            unseal(damaged)


def test_another_installations_code_is_no_code(shop: Shop, settings: object) -> None:
    settings.QR_KEYS = [OLD]  # type: ignore[attr-defined]
    foreign = seal(Place(shop.order(5), 1))
    settings.QR_KEYS = [NEW]  # type: ignore[attr-defined]
    assert scan(shop, foreign) == (422, "unknown_code")


def test_old_sheets_are_still_read_after_a_rotation(shop: Shop, settings: object) -> None:
    order = shop.order(5)
    settings.QR_KEYS = [OLD]  # type: ignore[attr-defined]
    old = seal(Place(order, 1))
    settings.QR_KEYS = [NEW, OLD]  # type: ignore[attr-defined]
    assert scan(shop, old) == {"salesOrderId": order, "position": 1}
    settings.QR_KEYS = [NEW]  # type: ignore[attr-defined]
    assert scan(shop, old) == (422, "unknown_code")


def test_the_sheets_on_the_shop_floor_are_still_read(settings: object) -> None:
    settings.QR_KEYS = [OLD]  # type: ignore[attr-defined]
    printed = (
        "PGLVYR5ULAWIBGXW25CERMLBK6D26JOMBLEMB2KDRDC6QRTWP4CFYT5TEVMXN4R64W46G67AVIDC5GHKILHH57UHLENHD2VIHT4AR2WB4CIQ"
    )
    assert unseal(printed) == Place(7, 3)


def test_a_sealed_text_that_is_no_path_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Place, "path", "/etc")
    with pytest.raises(UnknownCode):
        unseal(seal(Place(1, 1)))


def test_a_line_that_no_longer_exists_is_told_as_an_unknown_code(shop: Shop) -> None:
    order = shop.order(5)
    code = seal(Place(order, 1))
    shop.ana.delete(f"/api/sales-order/{order}")
    assert scan(shop, code) == (422, "unknown_code")


def test_only_those_who_see_lines_may_scan(shop: Shop) -> None:
    code = seal(Place(shop.order(5), 1))
    for right in (Permission.ListOrders, Permission.ListSalesOrders, Permission.ShopFloor):
        assert somebody(right).post("/api/scan", {"code": code}).status == 200
    assert shop.carla.post("/api/scan", {"code": code}).status == 403

"""The codes on work sheets: only this installation can read them, for users who may list lines."""

import pytest

from project.access.permissions import Permission
from project.printing.codes import Place, UnknownCode, seal, unseal
from tests.builders import Shop, somebody

NEW, OLD = "n" * 40, "o" * 40


def scan(shop: Shop, code: str) -> object:
    answer = shop.ana.post("/api/scan", {"code": code})
    return answer.json if answer.status == 200 else (answer.status, answer.code)


def test_code_leads_to_its_line(shop: Shop) -> None:
    order = shop.order(5, 6)
    assert scan(shop, seal(Place(order, 2))) == {"salesOrderId": order, "position": 2}


def test_code_may_have_spaces_and_lower_case(shop: Shop) -> None:
    order = shop.order(5)
    assert scan(shop, f" {seal(Place(order, 1)).lower()}\r\n") == {"salesOrderId": order, "position": 1}


def test_code_is_random_and_reveals_nothing() -> None:
    one, other = seal(Place(7, 1)), seal(Place(7, 1))
    assert one != other
    assert one.isalnum()  # QR codes store upper-case letters and digits compactly
    assert one.isupper()
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
def test_foreign_text_is_unknown(shop: Shop, code: str) -> None:
    assert scan(shop, code) == (422, "unknown_code")


def test_code_with_one_changed_letter_is_unknown(shop: Shop) -> None:
    code = seal(Place(shop.order(5), 1))
    for at in range(len(code) - 2):
        damaged = code[:at] + ("A" if code[at] != "A" else "B") + code[at + 1 :]
        with pytest.raises(UnknownCode):
            unseal(damaged)


def test_code_of_another_installation_is_unknown(shop: Shop, settings: object) -> None:
    settings.QR_KEYS = [OLD]  # type: ignore[attr-defined]
    foreign = seal(Place(shop.order(5), 1))
    settings.QR_KEYS = [NEW]  # type: ignore[attr-defined]
    assert scan(shop, foreign) == (422, "unknown_code")


def test_old_codes_are_read_after_a_key_rotation(shop: Shop, settings: object) -> None:
    order = shop.order(5)
    settings.QR_KEYS = [OLD]  # type: ignore[attr-defined]
    old = seal(Place(order, 1))
    settings.QR_KEYS = [NEW, OLD]  # type: ignore[attr-defined]
    assert scan(shop, old) == {"salesOrderId": order, "position": 1}
    settings.QR_KEYS = [NEW]  # type: ignore[attr-defined]
    assert scan(shop, old) == (422, "unknown_code")


def test_codes_printed_by_former_releases_are_read(settings: object) -> None:
    settings.QR_KEYS = [OLD]  # type: ignore[attr-defined]
    printed = (
        "PGLVYR5ULAWIBGXW25CERMLBK6D26JOMBLEMB2KDRDC6QRTWP4CFYT5TEVMXN4R64W46G67AVIDC5GHKILHH57UHLENHD2VIHT4AR2WB4CIQ"
    )
    assert unseal(printed) == Place(7, 3)


def test_sealed_text_that_is_no_place_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Place, "path", "/etc")
    with pytest.raises(UnknownCode):
        unseal(seal(Place(1, 1)))


def test_code_of_a_deleted_line_is_unknown(shop: Shop) -> None:
    order = shop.order(5)
    code = seal(Place(order, 1))
    shop.ana.delete(f"/api/sales-order/{order}")
    assert scan(shop, code) == (422, "unknown_code")


def test_scan_needs_permission_to_see_lines(shop: Shop) -> None:
    code = seal(Place(shop.order(5), 1))
    for right in (Permission.ListOrders, Permission.ListSalesOrders, Permission.ShopFloor):
        assert somebody(right).post("/api/scan", {"code": code}).status == 200
    assert shop.carla.post("/api/scan", {"code": code}).status == 403

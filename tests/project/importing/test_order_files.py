"""A customer's order file is read row by row for the order form."""

from datetime import date, datetime

import pytest

from tests.builders import Answer, Caller, Shop, somebody
from tests.project.importing.uploads import XLSX, csv_of, xlsx_of

READ = "/api/imports/order-lines"


def read(by: Caller, raw: bytes, content_type: str = XLSX) -> Answer:
    return by.call("POST", READ, raw=raw, content_type=content_type)


def cells(answer: Answer) -> dict[int, list[object]]:
    assert answer.status == 200, answer
    return {row["number"]: row["cells"] for row in answer.json["rows"]}


def test_rows_are_returned_as_written_with_their_numbers(shop: Shop) -> None:
    file = xlsx_of(
        ["Pedido de Joyería Norte"],
        [],
        ["Clave", "Cantidad", "Entrega", "Notas"],
        ["AN-1", 12, (date(2026, 12, 18), "yyyy-mm-dd"), "pulir"],
        ["AN-2", "1,200", (datetime(2026, 12, 19, 13, 30, tzinfo=None), "dd/mm/yyyy hh:mm"), None],  # noqa: DTZ001 - a sheet knows no zone
        ["", 2.5, "19/12/2026", True],
    )
    assert cells(read(shop.ana, file)) == {
        1: ["Pedido de Joyería Norte"],
        3: ["Clave", "Cantidad", "Entrega", "Notas"],
        4: ["AN-1", 12, "2026-12-18", "pulir"],
        5: ["AN-2", "1,200", "2026-12-19"],
        6: [None, 2.5, "19/12/2026", True],
    }


def test_displayed_leading_zeros_are_kept(shop: Shop) -> None:
    assert cells(read(shop.ana, xlsx_of([(7, "0000"), 1]))) == {1: ["0007", 1]}


def test_formula_and_long_text_are_marked_in_their_cells(shop: Shop) -> None:
    file = xlsx_of(["AN-1", "=SUM(A1:A2)"], ["x" * 501, 3])
    assert cells(read(shop.ana, file)) == {1: ["AN-1", {"code": "formula_not_read"}], 2: [{"code": "too_long"}, 3]}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_text_file_is_read_by_its_separator(shop: Shop, separator: str) -> None:
    file = csv_of(["Joyería Norte"], ["clave", "cantidad"], ["AN-1", "4", "de más"], ["AN-2"], separator=separator)
    assert cells(read(shop.ana, file, "text/csv")) == {
        1: ["Joyería Norte"],
        2: ["clave", "cantidad"],
        3: ["AN-1", "4", "de más"],
        4: ["AN-2"],
    }


def test_5000_rows_are_read_and_more_get_422_with_the_limit(shop: Shop) -> None:
    assert len(read(shop.ana, xlsx_of(*([f"K-{row}", row] for row in range(1, 5_001)))).json["rows"]) == 5_000
    for file, kind in (
        (xlsx_of(*(["K", row] for row in range(1, 5_100))), XLSX),
        (csv_of(*(["K", row] for row in range(1, 5_100))), "text/csv"),
    ):
        answer = read(shop.ana, file, kind)
        assert (answer.status, answer.code) == (422, "too_many_rows")
        assert "5050" in answer.json["message"].replace(",", "").replace(" ", "")


def test_file_that_is_no_sheet_is_refused(shop: Shop) -> None:
    assert read(shop.ana, b"%PDF-1.7").code == "unsupported_file"
    assert read(shop.ana, b"PK\x03\x04 broken").code == "unreadable_file"
    assert read(shop.ana, b"  ", "text/csv").code == "unreadable_file"
    assert read(shop.ana, b"{}", "application/json").code == "unsupported_file"


def test_reading_an_order_file_needs_permission_to_write_orders(shop: Shop) -> None:
    file = xlsx_of(["AN-1", 1])
    assert read(shop.carla, file).status == 403
    assert read(somebody("CreateItem"), file).status == 403
    assert read(somebody("UpdateSalesOrder"), file).status == 200

"""The kinds of files that users send: each is read correctly, marked as doubtful, or refused with advice."""

import io
import zipfile
from datetime import date, datetime
from typing import Any

import pytest
from openpyxl import Workbook

from project.catalogs.models import Customer, ExportTaxItem, Item, Material
from project.core.texts import texts
from project.importing.models import ImportFile
from project.importing.services import forget_files
from tests import builders
from tests.builders import Answer, Caller, Shop
from tests.project.importing.uploads import (
    XLSX,
    applied,
    csv_of,
    imported,
    previewed,
    refusals,
    rows_of,
    settled,
    upload,
    xlsx_of,
)

TARIFF = "export-tax-items"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def read_order(by: Caller, raw: bytes, content_type: str = XLSX, choices: str = "") -> dict[str, Any]:
    answer = by.call("POST", f"/api/imports/order-lines?{choices}", raw=raw, content_type=content_type)
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


def order_cells(found: dict[str, Any]) -> list[list[object]]:
    return [row["cells"] for row in found["rows"]]


def doubts(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {doubt["code"]: doubt["params"] for doubt in found["doubts"]}


def marked(found: dict[str, Any], mark: str) -> list[int]:
    return [row["number"] for row in found["rows"] if mark in row["marks"]]


def answered(by: Caller, found: dict[str, Any], choices: str) -> dict[str, Any]:
    """The import after its file was read again with these choices."""
    return settled(by, by.post(f"/api/imports/{found['id']}/preview?{choices}"))


def outcomes(by: Caller, found: dict[str, Any]) -> dict[str, str]:
    return {row["key"]: row["outcome"] for row in rows_of(by, found)}


def book_of(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def sheets_of(*sheets: tuple[str, list[list[object]]], hidden: tuple[str, ...] = ()) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if title in hidden:
            sheet.sheet_state = "hidden"
    return book_of(book)


def materials() -> dict[str, str]:
    return dict(Material.objects.values_list("name", "description"))


# Text files.


@pytest.mark.parametrize(
    "raw",
    [
        "sep=;\r\nname;description\r\nPlata fina;lámina\r\n".encode("utf-8-sig"),
        "SEP=|\nname|description\nPlata fina|lámina\n".encode(),
        "\ufeffname,description\nPlata fina,lámina\n".encode("utf-8-sig"),
        "name\tdescription\r\nPlata fina\tlámina\r\n".encode("utf-16"),
        b"\xfe\xff" + "name\tdescription\nPlata fina\tlámina\n".encode("utf-16-be"),
        "name\tdescription\nPlata fina\tlámina\n".encode(),
        "name;description\rPlata fina;lámina\r".encode("cp1252"),
        "name,description,,\r\nPlata fina,lámina,,\r\n".encode(),
        "name,,description\nPlata fina,,lámina\n".encode(),
        "Lista de materiales,\n,\nname,description\nPlata fina,lámina\n".encode(),
        ("Taller\n" * 18 + "\nNombre;Descripción\nPlata fina;lámina\n").encode("utf-8-sig"),
    ],
    ids=["sep", "sep bar", "two marks", "utf-16", "utf-16 be", "tabs", "cr", "commas", "no head", "title", "18 titles"],
)
def test_text_file_is_read_whatever_its_encoding_separator_and_heads(shop: Shop, raw: bytes) -> None:
    found = imported(shop.ana, "materials", raw)
    assert (found["doubts"], found["doubtful"], found["counts"]["new"]) == ([], 0, 1)
    assert materials() == {"Plata fina": "lámina"}


@pytest.mark.parametrize("raw", [b"sep=|\nsku|qty\nAC-1|5\n", b"PO 7\n\nsku\tqty\nAC-1\t5\n", b"sku;qty;;\rAC-1;5;;\r"])
def test_order_file_is_read_by_the_same_rules(shop: Shop, raw: bytes) -> None:
    assert order_cells(read_order(shop.ana, raw, "text/csv"))[-1][:2] == ["AC-1", "5"]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", "utf-8"), ("utf-16", "utf-16"), ("cp1252", "windows-1252")],
)
def test_answer_has_the_detected_encoding(shop: Shop, encoding: str, name: str) -> None:
    raw = "name,description\nLatón “fino”,O’Neil – 5 €\n".encode(encoding)
    found = imported(shop.ana, "materials", raw)
    assert found["encoding"] == name
    assert materials() == {"Latón “fino”": "O’Neil – 5 €"}
    assert read_order(shop.ana, raw, "text/csv")["encoding"] == name


@pytest.mark.parametrize(("codec", "likely"), [("mac-roman", "mac-roman"), ("cp850", "cp850")])
@pytest.mark.parametrize(
    "words", ["Joyería antigua,Diseño de Martín", "LÁMINA,AÑO", "sofá,menú", "único,índice", "Ángel,¿Qué?", "pa,país"]
)
def test_unlikely_letters_are_doubtful_until_the_encoding_is_chosen(
    shop: Shop, codec: str, likely: str, words: str
) -> None:
    raw = f"name,description\r\n{words}\r\n".encode(codec)
    found = previewed(shop.ana, "materials", raw)
    assert doubts(found)["encoding"]["likely"] == likely
    assert (found["doubtful"], found["counts"]["new"]) == (1, 0)
    assert shop.ana.post(f"/api/imports/{found['id']}/apply").code == "import_doubtful"
    again = answered(shop.ana, found, f"encoding={likely}")
    assert (again["doubts"], again["encoding"], again["counts"]["new"]) == ([], likely, 1)
    applied(shop.ana, found["id"])
    assert materials() == dict([words.split(",")])
    assert read_order(shop.ana, raw, "text/csv")["doubts"][0]["code"] == "encoding"
    assert read_order(shop.ana, raw, "text/csv", f"encoding={likely}")["doubts"] == []


def test_encoding_can_be_chosen_at_the_upload_and_later(shop: Shop) -> None:
    raw = "name\nLatón\n".encode("cp1252")
    first = shop.ana.call("POST", "/api/imports/materials?encoding=mac-roman", raw=raw, content_type="text/csv")
    found = settled(shop.ana, first)
    assert [row["key"] for row in rows_of(shop.ana, found)] == ["LatÛn"]
    again = answered(shop.ana, found, "encoding=windows-1252")
    assert [row["key"] for row in rows_of(shop.ana, again)] == ["Latón"]
    wrong = shop.ana.post(f"/api/imports/{found['id']}/preview?encoding=utf-8")
    assert (wrong.status, wrong.code) == (422, "unreadable_file")
    assert shop.ana.get(f"/api/imports/{found['id']}").json["state"] == "ready", "the former preview stays"
    assert shop.ana.post(f"/api/imports/{found['id']}/preview?encoding=ebcdic").status == 422


@pytest.mark.parametrize(
    "rows",
    [
        ["", '" miércoles, 25 de noviembre de 2026",,'],
        ["", "Impreso por Ana,,", "Página 1 de 1"],
        ["TOTAL,,"],
        [",Total:,18"],
        ["", "Subtotal,,", "Gran total,,18"],
    ],
)
def test_rows_below_a_list_are_doubtful(shop: Shop, rows: list[str]) -> None:
    raw = "\n".join(["Nombre,RFC,Moneda", "Boutique Alfa,XEXX010101000,USD", *rows]).encode()
    before = Customer.objects.count()
    found = previewed(shop.ana, "customers", raw)
    footers = len([row for row in rows if row])
    assert (found["counts"]["new"], found["counts"]["refused"], found["doubtful"]) == (1, 0, footers)
    assert doubts(found)["footer"]["count"] == footers
    applied(shop.ana, found["id"])
    assert Customer.objects.count() == before + 1
    order = read_order(shop.ana, "\n".join(["clave,cantidad,notas", "AC-1,5,", *rows]).encode(), "text/csv")
    assert len(marked(order, "footer")) == footers


def test_footer_rows_are_read_once_the_user_includes_them(shop: Shop) -> None:
    found = previewed(shop.ana, "materials", b"name,description\nOro,x\n\nPlata,\n")
    assert outcomes(shop.ana, found) == {"Oro": "new", "Plata": "doubtful"}
    again = answered(shop.ana, found, "includeFooter=true")
    assert (outcomes(shop.ana, again), again["doubts"]) == ({"Oro": "new", "Plata": "new"}, [])
    assert again["choices"]["includeFooter"] is True
    back = answered(shop.ana, again, "includeFooter=false")
    assert outcomes(shop.ana, back) == {"Oro": "new", "Plata": "doubtful"}


def test_rows_without_a_gap_are_no_footer(shop: Shop) -> None:
    found = previewed(shop.ana, "materials", b"name,description\nOro,x\nPlata,\n\nCobre,y\nTotal Look,\n")
    assert (found["doubts"], found["counts"]["new"]) == ([], 4)


@pytest.mark.parametrize("line", ["Oro,x,demás", "Oro,x,,,demás"])
def test_row_with_more_values_than_heads_is_refused(shop: Shop, line: str) -> None:
    found = previewed(shop.ana, "materials", f"name,description\n{line}\nPlata\n".encode())
    assert refusals(shop.ana, found)[2]["name"] == "wrong_number_of_cells"
    assert found["counts"]["new"] == 1


# Workbooks.


COVER: tuple[str, list[list[object]]] = ("Resumen", [["Este documento tiene dos hojas"], [], ["Hoja", "Tabla"]])


def test_first_sheet_with_known_heads_is_read(shop: Shop) -> None:
    order = sheets_of(COVER, ("Pedido", [["Item", "Qty"], ["AC-1", 5]]))
    found = read_order(shop.ana, order)
    assert (found["sheet"], found["doubts"]) == ("Pedido", [])
    assert found["sheets"] == [{"name": "Resumen", "hidden": False}, {"name": "Pedido", "hidden": False}]
    catalog = sheets_of(COVER, ("Hoja 2", [["Lista"], ["Nombre", "Descripción"], ["Oro", "x"]]))
    imported(shop.ana, "materials", catalog, XLSX)
    assert materials() == {"Oro": "x"}


def test_other_sheets_with_known_heads_are_a_doubt(shop: Shop) -> None:
    both = [["Nombre", "Descripción"], ["Oro", "x"]], [["Nombre", "Descripción"], ["Plata", "y"]]
    found = previewed(shop.ana, "materials", sheets_of(("Enero", both[0]), ("Febrero", both[1])), XLSX)
    assert doubts(found) == {"other_sheets": {"sheet": "Enero", "others": ["Febrero"]}}
    assert (found["sheet"], outcomes(shop.ana, found)) == ("Enero", {"Oro": "doubtful"})
    again = answered(shop.ana, found, "sheet=Febrero")
    assert (again["sheet"], again["doubts"], outcomes(shop.ana, again)) == ("Febrero", [], {"Plata": "new"})
    none = shop.ana.post(f"/api/imports/{found['id']}/preview?sheet=Marzo")
    assert (none.status, none.code) == (422, "unknown_sheet")
    orders = sheets_of(("Mayo", [["sku", "qty"], ["A", 1]]), ("Junio", [["sku", "qty"], ["B", 2]]))
    assert doubts(read_order(shop.ana, orders))["other_sheets"]["others"] == ["Junio"]
    assert order_cells(read_order(shop.ana, orders, choices="sheet=Junio"))[1] == ["B", 2]


def test_hidden_sheet_is_read_only_as_a_doubt(shop: Shop) -> None:
    old = ("Vieja", [["Nombre"], ["Cobre"]])
    raw = sheets_of(old, ("Nueva", [["Nombre"], ["Oro"]]), hidden=("Vieja",))
    found = previewed(shop.ana, "materials", raw, XLSX)
    assert (found["sheet"], found["doubts"], outcomes(shop.ana, found)) == ("Nueva", [], {"Oro": "new"})
    raw = sheets_of(COVER, ("Vieja", [["Nombre"], ["Cobre"]]), hidden=("Vieja",))
    found = previewed(shop.ana, "materials", raw, XLSX)
    assert (outcomes(shop.ana, found), [*doubts(found)]) == ({"Cobre": "doubtful"}, ["other_sheets"])
    order = sheets_of(("Vieja", [["sku", "qty"], ["A", 1]]), ("Nueva", [["sku", "qty"], ["B", 2]]), hidden=("Vieja",))
    assert read_order(shop.ana, order)["sheet"] == "Nueva"


def with_hidden(
    rows: list[list[object]], *, row: int | None = None, column: str | None = None, filters: str = ""
) -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    for each in rows:
        sheet.append(each)
    if row:
        sheet.row_dimensions[row].hidden = True
    if column:
        sheet.column_dimensions[column].hidden = True
    if filters:
        sheet.auto_filter.ref = filters
    return book_of(book)


@pytest.mark.parametrize("filters", ["", "A1:B4"])
def test_hidden_rows_are_left_out_until_the_user_includes_them(shop: Shop, filters: str) -> None:
    rows: list[list[object]] = [["Nombre", "Descripción"], ["Oro", "a"], ["Plata", "b"], ["Oro", "escondido"]]
    found = previewed(shop.ana, "materials", with_hidden(rows, row=4, filters=filters), XLSX)
    assert doubts(found)["hidden_rows"] == {"count": 1, "rows": [4], "columns": []}
    assert [row["outcome"] for row in rows_of(shop.ana, found)] == ["new", "new", "doubtful"]
    applied(shop.ana, found["id"])
    assert materials() == {"Oro": "a", "Plata": "b"}
    order = [["Item", "Qty"], ["AC-1", 5], ["AC-2", 99], ["AC-3", 1]]
    found = read_order(shop.ana, with_hidden(order, row=3, filters=filters))
    assert (marked(found, "hidden_rows"), doubts(found)["hidden_rows"]["rows"]) == ([3], [3])
    found = read_order(shop.ana, with_hidden(order, row=3, filters=filters), choices="includeHidden=true")
    assert (marked(found, "hidden_rows"), found["doubts"]) == ([3], [])


def test_hidden_columns_are_left_out_until_the_user_includes_them(shop: Shop) -> None:
    rows: list[list[object]] = [["Nombre", "Descripción", "Costo secreto"], ["Oro", "vieja", 5]]
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    for letter in "BC":
        book.worksheets[0].column_dimensions[letter].hidden = True
    found = previewed(shop.ana, "materials", book_of(book), XLSX)
    assert doubts(found)["hidden_rows"]["columns"] == ["Descripción"]
    again = answered(shop.ana, found, "includeHidden=true")
    assert again["doubts"] == []
    applied(shop.ana, found["id"])
    assert materials() == {"Oro": "vieja"}
    order = with_hidden([["Item", "Qty", "Notes"], ["AC-1", 5, "no"]], column="C")
    found = read_order(shop.ana, order)
    assert (order_cells(found)[1], doubts(found)["hidden_rows"]["columns"]) == (["AC-1", 5], ["C"])
    assert order_cells(read_order(shop.ana, order, choices="includeHidden=true"))[1] == ["AC-1", 5, "no"]


def with_formulas(*rows: list[str]) -> bytes:
    """A workbook written as XML, with formulas and their stored values; openpyxl cannot write those."""
    letters = "ABCDEFG"
    text = "".join(
        f'<row r="{number}">'
        + "".join(f'<c r="{letter}{number}" {cell}</c>' for letter, cell in zip(letters, row, strict=False))
        + "</row>"
        for number, row in enumerate(rows, start=1)
    )
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{text}</sheetData></worksheet>'
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx_of(["x"]))) as plain, zipfile.ZipFile(out, "w") as made:
        for part in plain.namelist():
            made.writestr(part, sheet if part == "xl/worksheets/sheet1.xml" else plain.read(part))
    return out.getvalue()


def written(text: str) -> str:
    return f't="inlineStr"><is><t>{text}</t></is>'


def test_stored_value_of_a_formula_is_doubtful_until_accepted(shop: Shop) -> None:
    raw = with_formulas(
        [written("Clave"), written("Nombre"), written("Precio de venta")],
        [written("F-1"), 't="str"><f>A1&amp;"x"</f><v>Aro</v>', "><f>2*5.25</f><v>10.5</v>"],
        [written("F-2"), written("Dije"), "><f>1+1</f>"],
        [written("F-3"), written("Arete"), "><v>7</v>"],
    )
    found = previewed(shop.ana, "items", raw, XLSX)
    assert doubts(found)["formula_values"] == {"count": 1, "rows": [2]}
    assert outcomes(shop.ana, found) == {"F-1": "doubtful", "F-2": "refused", "F-3": "new"}
    assert refusals(shop.ana, found) == {3: {"sellPrice": "formula_not_read"}}
    answered(shop.ana, found, "acceptFormulas=true")
    applied(shop.ana, found["id"])
    assert (Item.objects.get(key="F-1").name, Item.objects.get(key="F-1").sell_price) == ("Aro", 10.5)
    order = with_formulas(
        [written("Item"), written("Qty")],
        [written("AC-1"), "><f>SUM(B9:D9)</f><v>6</v>"],
        [written("AC-2"), "><v>1</v>"],
    )
    assert marked(read_order(shop.ana, order), "formula_values") == [2]
    assert order_cells(read_order(shop.ana, order))[1] == ["AC-1", 6]


def test_percent_cell_is_read_as_a_percentage(shop: Shop) -> None:
    heads = ["Clave", "Nombre", "Impuesto (%)", "Precio de venta"]
    raw = xlsx_of(
        heads,
        ["P-1", "Uno", (0.16, "0%"), (850.5, '"$"#,##0.00')],
        ["P-2", "Dos", (0.125, "0.00%"), (1250.5, "[$€-2] #,##0.00")],
        ["P-3", "Tres", (16, '0 "%"'), 7],
        ["P-4", "Cuatro", 0, (0.5, "0%")],
    )
    found = imported(shop.ana, "items", raw, XLSX)
    assert refusals(shop.ana, found) == {5: {"sellPrice": "not_a_number"}}
    assert {
        row.key: (float(row.tax_amount), float(row.sell_price)) for row in Item.objects.filter(key__startswith="P-")
    } == {
        "P-1": (16, 850.5),
        "P-2": (12.5, 1250.5),
        "P-3": (16, 7),
    }
    assert dict(Item.objects.filter(key__startswith="P-").values_list("key", "currency")) == {
        "P-1": "MXN",
        "P-2": "EUR",
        "P-3": "MXN",
    }


@pytest.mark.parametrize(
    ("written", "column", "currency"),
    [
        ("$12.5", "", "MXN"),
        ("12.5", "USD", "USD"),
        ("€12.5", "", "EUR"),
        ("US$ 12.5", "", "USD"),
        ("12.5 CAD", "CAD", "CAD"),
        ("USD 12.5", "MXN", None),
        ("R$ 12.5", "", None),
        ("C$12.5", "USD", None),
    ],
)
def test_amount_has_the_currency_that_it_names(shop: Shop, written: str, column: str, currency: str | None) -> None:
    raw = csv_of(["key", "name", "sellPrice", "currency"], ["C-1", "Aro", written, column])
    found = previewed(shop.ana, "items", raw)
    if currency is None:
        assert refusals(shop.ana, found) == {2: {"sellPrice": "other_currency"}}
    else:
        applied(shop.ana, found["id"])
        assert Item.objects.get(key="C-1").currency == currency


def test_cell_with_an_unknown_currency_format_is_refused(shop: Shop) -> None:
    formats = ["[$¥-411]#,##0", "[$R$-416] #,##0.00", "[$kr-41D] #,##0.00", "[$$-80A]#,##0.00"]
    rows = [[f"F-{number}", f"Aro {number}", (5, form)] for number, form in enumerate(formats)]
    found = previewed(shop.ana, "items", xlsx_of(["key", "name", "sellPrice"], *rows), XLSX)
    assert outcomes(shop.ana, found) == {"F-0": "refused", "F-1": "refused", "F-2": "refused", "F-3": "new"}


def test_dash_as_a_name_is_refused(shop: Shop) -> None:
    found = previewed(shop.ana, "materials", csv_of(["name", "description"], ["-", "x"]))
    assert refusals(shop.ana, found) == {2: {"name": "required"}}
    assert rows_of(shop.ana, found)[0]["key"] == ""


def test_exported_prices_are_imported_unchanged(shop: Shop) -> None:
    for number, (price, currency) in enumerate([("1.2", "BHD"), ("1.234", "MXN"), ("1200", "JPY")]):
        Item.objects.create(key=f"D-{number}", name=f"Aro {number}", sell_price=price, currency=currency)
    found = previewed(shop.ana, "items", shop.ana.raw("/api/items?format=csv&search=D-"))
    assert found["counts"] == {"new": 0, "changed": 0, "unchanged": 3, "refused": 0}


def test_piece_price_in_another_currency_is_refused(shop: Shop) -> None:
    raw = csv_of(["name", "price"], ["Pulido nuevo", "USD 2"], ["Lijado nuevo", "MXN 2"])
    found = previewed(shop.ana, "production-processes", raw)
    assert refusals(shop.ana, found) == {2: {"price": "other_currency"}}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("$1,250.50", 1250.5),
        ("1,250.50", 1250.5),
        ("$1,250", 1250),
        ("MX$ 1,250,000", 1_250_000),
        ("1250.5 USD", 1250.5),
        ("USD 1,250.50", 1250.5),
        ("1 250.50", 1250.5),
        ("€12.5", 12.5),
        ("0.125", 0.125),
        ("12.3456", 12.3456),
        ("1,250", "ambiguous_number"),
        ("1.250", "ambiguous_number"),
        ("$1.250", "ambiguous_number"),
        ("1.250,50", 1250.5),
        ("€1.250,50", 1250.5),
        ("1 250,50", 1250.5),
        ("12,50", 12.5),
        ("0,125", 0.125),
        ("1.250.000", 1_250_000),
        ("$320.00 MXN", 320),
        ("320.00 MXN", 320),
        ("-1,250", "ambiguous_number"),
        ("1.25,50", "not_a_number"),
        ("1,25.50", "not_a_number"),
        ("16%", "not_a_number"),
        ("12 pesos", "not_a_number"),
        ("doce", "not_a_number"),
    ],
)
def test_amount_is_read_as_written_or_refused_as_ambiguous(shop: Shop, written: str, read: float | str) -> None:
    found = previewed(shop.ana, "items", csv_of(["key", "name", "sellPrice"], ["M-1", "Aro", written]))
    if isinstance(read, str):
        assert refusals(shop.ana, found) == {2: {"sellPrice": read}}
        assert "{" not in rows_of(shop.ana, found)[0]["errors"][0]["message"]
    else:
        applied(shop.ana, found["id"])
        assert float(Item.objects.get(key="M-1").sell_price) == read


@pytest.mark.parametrize(("written", "read"), [("16%", 16), ("16 %", 16), ("16", 16), ("12.5%", 12.5)])
def test_percentage_may_have_its_sign(shop: Shop, written: str, read: float) -> None:
    imported(shop.ana, "items", csv_of(["key", "name", "taxAmount"], ["M-1", "Aro", written]))
    assert float(Item.objects.get(key="M-1").tax_amount) == read


def test_tariff_codes_may_have_dots_or_be_numbers(shop: Shop) -> None:
    raw = csv_of(["code", "spanishDescription"], ["7113.11.99", "a"], ["7113.11.99 01", "b"], ["7113", "c"])
    found = imported(shop.ana, TARIFF, raw)
    assert refusals(shop.ana, found) == {4: {"code": "invalid"}}
    assert set(ExportTaxItem.objects.values_list("code", flat=True)) == {"71131199", "7113119901"}
    assert previewed(shop.ana, TARIFF, raw)["counts"]["unchanged"] == 2
    numbers = xlsx_of(["code", "spanishDescription"], [7113119902, "d"], [71131198.0, "e"], [711311990, "f"])
    found = imported(shop.ana, TARIFF, numbers, XLSX)
    assert refusals(shop.ana, found) == {4: {"code": "text_expected"}}
    assert ExportTaxItem.objects.filter(code__in=["7113119902", "71131198"]).count() == 2
    items = xlsx_of(
        ["Clave", "Nombre", "Fracción arancelaria"], ["A-1", "Uno", 7113119901], ["A-2", "Dos", "7113.11.99"]
    )
    imported(shop.ana, "items", items, XLSX)
    assert {row.key: row.tax_item and row.tax_item.code for row in Item.objects.filter(key__startswith="A-")} == {
        "A-1": "7113119901",
        "A-2": "71131199",
    }


def strict(raw: bytes) -> bytes:
    """The workbook as Excel saves it as Strict Open XML."""
    out = io.BytesIO()
    names = {MAIN: "http://purl.oclc.org/ooxml/spreadsheetml/main"}
    names["http://schemas.openxmlformats.org/officeDocument/2006/"] = "http://purl.oclc.org/ooxml/officeDocument/"
    with zipfile.ZipFile(io.BytesIO(raw)) as usual, zipfile.ZipFile(out, "w") as made:
        for part in usual.namelist():
            text = usual.read(part).decode()
            for name, instead in names.items():
                text = text.replace(name, instead)
            made.writestr(part, text)
    return out.getvalue()


def test_strict_open_xml_is_read(shop: Shop) -> None:
    raw = strict(xlsx_of(["Nombre", "Descripción"], ["Oro", "x"]))
    assert b"purl.oclc.org" in zipfile.ZipFile(io.BytesIO(raw)).read("xl/workbook.xml")
    imported(shop.ana, "materials", raw, XLSX)
    assert materials() == {"Oro": "x"}
    dated = strict(xlsx_of(["sku", "qty", "due"], ["A", 1, (date(2027, 1, 15), "yyyy-mm-dd")]))
    assert order_cells(read_order(shop.ana, dated))[1] == ["A", 1, "2027-01-15"]


def zip_of(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, text in parts.items():
            made.writestr(name.replace("__", "/").replace("_", "."), text)
    return out.getvalue()


@pytest.mark.parametrize(
    "raw",
    [
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old workbook, or one with a password",
        zip_of(mimetype="application/vnd.oasis.opendocument.spreadsheet", content_xml="<x/>"),
        b"<html><body><table><tr><td>name</td></tr><tr><td>Oro</td></tr></table></body></html>",
        "\ufeff\n<!DOCTYPE html><p>name</p>".encode(),
        b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>',
        "<table><tr><td>name</td></tr></table>".encode("utf-16"),
    ],
    ids=["xls", "ods", "html", "doctype", "xml", "utf-16 html"],
)
@pytest.mark.parametrize("where", ["materials", "order-lines"])
def test_unsupported_format_is_refused_with_advice(shop: Shop, raw: bytes, where: str) -> None:
    answer = shop.ana.call(
        "POST", f"/api/imports/{where}", raw=raw, content_type="application/vnd.ms-excel", accept_language="en"
    )
    assert (answer.status, answer.code) == (415, "unsupported_file"), answer
    assert "save it as Excel workbook (.xlsx)" in answer.json["message"]
    assert "table" not in answer.json["message"]
    assert "(.xlsx)" in texts("es")["unreadable_file"]


def test_real_dates_beside_ambiguous_written_ones_are_doubtful(shop: Shop) -> None:
    raw = xlsx_of(
        ["sku", "qty", "due"],
        ["A", 1, (datetime(2027, 4, 3), "dd/mm/yyyy")],  # noqa: DTZ001 - a sheet knows no zone
        ["B", 2, "18/04/2027"],
        ["C", 3, (date(2027, 4, 20), "dd/mm/yyyy")],
        ["D", 4, ""],
    )
    found = read_order(shop.ana, raw)
    assert marked(found, "mixed_dates") == [2, 3, 4]
    assert doubts(found)["mixed_dates"] == {"count": 3, "rows": [2, 3, 4], "columns": ["C"], "sample": "2027-04-03"}
    kept, swapped = (read_order(shop.ana, raw, choices=f"mixedDates={answer}") for answer in ("keep", "swap"))
    assert [kept["doubts"], swapped["doubts"]] == [[], []]
    assert [row[2] for row in order_cells(kept)[1:4]] == ["2027-04-03", "18/04/2027", "2027-04-20"]
    assert [row[2] for row in order_cells(swapped)[1:4]] == ["2027-03-04", "18/04/2027", "2027-04-20"]


@pytest.mark.parametrize("written", ["2027-04-18", "18 de abril de 2027", "pronto"])
def test_real_dates_beside_unambiguous_ones_are_not_doubtful(shop: Shop, written: str) -> None:
    raw = xlsx_of(["sku", "qty", "due"], ["A", 1, (date(2027, 4, 3), "dd/mm/yyyy")], ["B", 2, written])
    assert read_order(shop.ana, raw)["doubts"] == []


# A blank cell keeps the value; a dash or the word for empty clears it.


EVERYTHING = ["key", "descriptionSpanish", "taxItemKey", "taxAmount", "sellPrice", "priority", "antique", "measures"]


def ring() -> Item:
    made = Item.objects.create(
        key="V-1",
        name="Aro",
        description_spanish="De plata",
        tax_item=builders.tariff_item("71131199"),
        tax_amount=16,
        sell_price=12.5,
        priority=3,
        antique=True,
        measures="7",
        origin="US",
    )
    made.components.create(place=1, component=builders.component("Aro"))
    return made


def held(item: Item) -> tuple[Any, ...]:
    item.refresh_from_db()
    return (
        item.description_spanish,
        item.tax_item and item.tax_item.code,
        float(item.tax_amount),
        float(item.sell_price),
        item.priority,
        item.antique,
        item.measures,
        item.origin,
        item.components.count(),
    )


def test_blank_cells_keep_the_values(shop: Shop) -> None:
    item = ring()
    before = held(item)
    heads = [*EVERYTHING, "origin", "components", "currency", "status"]
    found = previewed(shop.ana, "items", csv_of(heads, ["V-1", *[" "] * (len(heads) - 1)]))
    assert found["counts"]["unchanged"] == 1
    assert held(item) == before


@pytest.mark.parametrize("word", ["-", "—", "vacío", "VACIO", "empty"])
def test_dash_or_the_word_for_empty_clears_values(shop: Shop, word: str) -> None:
    item = ring()
    heads = [*EVERYTHING, "origin", "components"]
    found = previewed(shop.ana, "items", csv_of(heads, ["V-1", *[word] * (len(heads) - 1)]))
    (row,) = rows_of(shop.ana, found)
    assert {change["field"]: change["after"] for change in row["changes"]} | {"descriptionSpanish": ""} == {
        "descriptionSpanish": "",
        "taxItemKey": "",
        "taxAmount": 0,
        "sellPrice": 0,
        "priority": 0,
        "antique": False,
        "measures": "",
        "origin": "MX",
        "components": "",
    }
    applied(shop.ana, found["id"])
    assert held(item) == ("", None, 0, 0, 0, False, "", "MX", 0)
    again = previewed(shop.ana, "items", csv_of(["key", "name"], ["V-1", word]))
    assert refusals(shop.ana, again) == {2: {"name": "required"}}


def test_dash_as_a_text_survives_its_own_export(shop: Shop) -> None:
    Material.objects.create(name="Oro", description="-")
    Material.objects.create(name="Plata", description="vacío")
    for kind, content_type in (("csv", "text/csv"), ("xlsx", XLSX)):
        raw = shop.ana.raw(f"/api/materials?format={kind}")
        assert previewed(shop.ana, "materials", raw, content_type)["counts"]["unchanged"] == 2


def test_file_cannot_be_read_again_once_applied_or_deleted(shop: Shop) -> None:
    found = previewed(shop.ana, "materials", b"name\nOro\n")
    assert ImportFile.objects.count() == 1
    forget_files()
    answer: Answer = shop.ana.post(f"/api/imports/{found['id']}/preview?includeFooter=true")
    assert (answer.status, answer.code) == (409, "import_file_gone")
    assert upload(shop.ana, "materials", b"name\nOro\n").status == 201
    applied(shop.ana, found["id"])
    again = previewed(shop.ana, "materials", b"name\nPlata\n")
    applied(shop.ana, again["id"])
    assert not ImportFile.objects.filter(upload_id=again["id"]).exists()

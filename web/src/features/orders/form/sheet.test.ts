// @vitest-environment node
import { describe, expect, it } from "vitest";
import {
  headsTwice,
  judge,
  productsNamed,
  readPasted,
  sheetOf,
  withCell,
  withProduct,
  type Called,
} from "./sheet";

const ring = { id: 1, key: "AN-1", name: "Anillo liso", nameEnglish: "", thumbnail: null };
const chain = { id: 2, key: "CA-1", name: "Cadena", nameEnglish: "", thumbnail: null };
const called: Called = new Map([
  ["AN-1", [ring]],
  ["Cadena", [chain]],
  ["Pena", [ring, chain]],
]);
const judged = (text: string) => judge(sheetOf(readPasted(text)), called);
const said = (text: string) =>
  judged(text).map(({ row, refusals }) => [row.number, ...refusals.map(({ why }) => why)]);

describe("pasted text", () => {
  it.each([
    [
      "a\tb\nc\td",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a\tb\r\nc\td\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a\t", [["a", ""]]],
    ['"dos\nrenglones"\t"di ""sí"""', [["dos\nrenglones", 'di "sí"']]],
    ['5" de largo\t3', [['5" de largo', "3"]]],
    ['"Luna"\t3', [['"Luna"', "3"]]],
    ['"""Luna"""\t3', [['"Luna"', "3"]]],
    ["a\n\n\t\nb", [["a"], ["b"]]],
  ])("%j is read as spreadsheets copy it", (text, cells) => {
    expect(readPasted(text).map((row) => row.cells)).toEqual(cells);
  });

  it("keeps the row numbers if there are empty rows", () => {
    expect(readPasted("a\n\nb").map(({ number }) => number)).toEqual([1, 3]);
  });

  /** Quote a cell as spreadsheets do: only if it contains a tab or a line break. */
  const copied = (cell: string) =>
    /[\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

  it("returns every cell that a spreadsheet copied", () => {
    let seed = 1;
    const random = (least: number, most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return least + (seed % (most - least + 1));
    };
    const parts = ["a", "ñ", "5", " ", '"', '""', "\t", "\n", "\r\n", "1,200", "a"];
    // Start with a letter, because a quote at the start of a cell is ambiguous.
    const cell = () =>
      `a${Array.from({ length: random(0, 5) }, () => parts[random(0, 10)]).join("")}`;
    for (let turn = 0; turn < 500; turn += 1) {
      const rows = Array.from({ length: random(1, 4) }, () =>
        Array.from({ length: random(1, 4) }, cell),
      );
      const text = rows.map((cells) => cells.map(copied).join("\t")).join(turn % 2 ? "\n" : "\r\n");
      expect(readPasted(text).map(({ cells }) => cells)).toEqual(rows);
    }
  });

  it("reads 5,000 rows in less than a second", () => {
    const text = Array.from({ length: 5_000 }, (_, row) => `AN-1\t${row + 1}\t2026-12-18`).join(
      "\n",
    );
    const before = performance.now();
    expect(judged(text).every(({ refusals }) => refusals.length === 0)).toBe(true);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});

describe("columns", () => {
  it.each([
    ["Clave\tCantidad\tFecha de entrega\tNotas", ["item", "quantity", "deliveryDate", "notes"]],
    ["Notes\tQty.\tSKU\tDue date", ["notes", "quantity", "item", "deliveryDate"]],
    ["CÓDIGO\tPzas\tPrecio\tEnvío", ["item", "quantity", null, "shippingDate"]],
    ["Producto\tNombre\tPiezas", ["item", null, "quantity"]],
  ])("%j are recognized by their headings in either language", (heads, columns) => {
    const sheet = sheetOf(readPasted(`${heads}\nx\t1\ty`));
    expect(sheet).toMatchObject({ columns, byHeads: true, above: 0 });
    expect(sheet.rows).toHaveLength(1);
  });

  it("keep their headings, and name those of which several mean one column", () => {
    const sheet = sheetOf(readPasted("Clave\tCantidad\tPiezas\tNotas\nAN-1\t2\t3\t"));
    expect(sheet.heads).toEqual(["Clave", "Cantidad", "Piezas", "Notas"]);
    expect(headsTwice(sheet)).toEqual(["Cantidad", "Piezas"]);
    expect(headsTwice(sheetOf(readPasted("AN-1\t2")))).toEqual([]);
  });

  it("can have their headings below other rows", () => {
    const sheet = sheetOf(readPasted("Joyería Norte\n\nPedido 4711\nclave\tcantidad\nAN-1\t2"));
    expect(sheet).toMatchObject({ byHeads: true, above: 2 });
    expect(sheet.rows.map(({ number }) => number)).toEqual([5]);
  });

  it("beyond the last heading can be assigned, and keep their cells", () => {
    const sheet = sheetOf(readPasted("clave\tcantidad\nAN-1\t2\tpulir"));
    expect(sheet.columns).toEqual(["item", "quantity", null]);
    const dated = withCell(sheet, sheet.rows[0]!, "deliveryDate", "2026-12-18");
    expect(dated.rows[0]?.cells).toEqual(["AN-1", "2", "pulir", "2026-12-18"]);
    expect(dated.columns).toEqual(["item", "quantity", null, "deliveryDate"]);
  });

  it("of a size matrix have the total as quantity, if the sizes prove it", () => {
    const matrix = (total: string) =>
      `PO\tPO-7788\nStyle\tSz 5\tSz 6\tSz 7\tTotal\nAN-1\t2\t3\t0\t5\nCadena\t1\t\t4\t${total}`;
    const sheet = sheetOf(readPasted(matrix("5")));
    expect(sheet).toMatchObject({
      columns: ["item", null, null, null, "quantity"],
      byHeads: true,
      heads: ["Style", "Sz 5", "Sz 6", "Sz 7", "Total"],
      above: 1,
    });
    expect(judge(sheet, called).map(({ quantity }) => quantity)).toEqual([5, 5]);
    expect(sheetOf(readPasted(matrix("6"))).columns).toEqual(["item", null, null, null, null]);
    expect(said(matrix("6"))).toEqual([
      [3, "quantityMissing"],
      [4, "quantityMissing"],
    ]);
  });

  it.each([
    "Style\tSz 5\tSz 6\nAN-1\t2\t3",
    "Style\tSz 5\tTotal\nAN-1\t2\t2",
    "Código\tPrecio\tTotal\nAN-1\t12\t12",
  ])("of a size matrix without a proved total have no quantity: %j", (text) => {
    expect(sheetOf(readPasted(text)).columns).toEqual(["item", null, null]);
    expect(said(text)).toEqual([[2, "quantityMissing"]]);
  });

  it("without headings are not taken for a size matrix", () => {
    const text = "Nombre\tJoyería Norte\tRFC\tXAXX\nAN-1\t2\t2026-12-18\tpulir";
    expect(sheetOf(readPasted(text))).toMatchObject({ byHeads: false });
  });

  it("without headings are product, quantity, delivery and notes", () => {
    const sheet = sheetOf(readPasted("AN-1\t2\t2026-12-18\tpulir\tmás"));
    expect(sheet).toMatchObject({
      columns: ["item", "quantity", "deliveryDate", "notes", null],
      byHeads: false,
    });
  });
});

describe("rows", () => {
  it("are understood, or refused with the reason", () => {
    const text = [
      "clave\tcantidad\tentrega\tnotas",
      "AN-1\t3\t2026-12-18\tpulir",
      "NADA\t3",
      "Pena\t3",
      "\t3",
      "Cadena\t",
      "Cadena\tdoce\tpronto",
      "Cadena\t0",
      `Cadena\t1\t\t${"x".repeat(201)}`,
    ].join("\n");
    expect(said(text)).toEqual([
      [2],
      [3, "itemUnknown"],
      [4, "itemSeveral"],
      [5, "itemMissing"],
      [6, "quantityMissing"],
      [7, "quantityNotNumber", "dayWrong"],
      [8, "quantityRange"],
      [9, "tooLong"],
    ]);
    expect(judged(text)[0]).toMatchObject({
      item: ring,
      quantity: 3,
      dates: { shipmentDate: "", deliveryDate: "2026-12-18", shippingDate: "" },
      notes: "pulir",
    });
  });

  it("use the formats that the whole column proves, and ask if it proves none", () => {
    expect(said("AN-1\t1,200\nAN-1\t4")).toEqual([[1, "quantitySign"], [2]]);
    expect(judged("AN-1\t1,200\nAN-1\t2.0").map(({ quantity }) => quantity)).toEqual([1_200, 2]);
    expect(said("AN-1\t1\t03/04/2026")).toEqual([[1, "dayOrder"]]);
    const asked = sheetOf(readPasted("AN-1\t1,200\t03/04/2026"));
    const [row] = judge({ ...asked, sign: ",", order: "dayFirst" }, called);
    expect(row).toMatchObject({ quantity: 1_200, dates: { deliveryDate: "2026-04-03" } });
  });

  it("are left out while a doubt about them is open", () => {
    const rows = [
      { number: 1, cells: ["clave", "cantidad"], marks: [] },
      { number: 2, cells: ["AN-1", "5"], marks: [] },
      { number: 3, cells: ["Cadena", "99"], marks: ["hidden_rows" as const] },
    ];
    const read = { encoding: null, sheet: "Pedido", sheets: [], choices: {} };
    const hidden = { code: "hidden_rows" as const, params: {} };
    const outs = (doubts: (typeof hidden)[]) =>
      judge(sheetOf(rows, { ...read, doubts }), called).map(({ leftOut }) => leftOut);
    expect(outs([hidden])).toEqual([null, "hidden_rows"]);
    expect(outs([])).toEqual([null, null]);
    const whole = { ...read, doubts: [{ code: "encoding" as const, params: {} }] };
    expect(judge(sheetOf(rows, whole), called).map(({ leftOut }) => leftOut)).toEqual([
      "encoding",
      "encoding",
    ]);
  });

  it("report a formula that was not read", () => {
    const sheet = sheetOf([{ number: 1, cells: ["AN-1", { code: "formula_not_read" }] }]);
    expect(judge(sheet, called)[0]?.refusals).toEqual([{ column: "quantity", why: "formula" }]);
  });

  it("with the same unknown text get the chosen product, and others do not", () => {
    const other = { id: 3, key: "CA-9", name: "AN-1", nameEnglish: "", thumbnail: null };
    const sheet = sheetOf(readPasted("AN-1\t1\nPena\t2\nPena\t3\n\t4"));
    const chosen = withProduct(sheet, sheet.rows[1]!, other, called);
    expect(judge(chosen, called).map(({ item }) => item?.id)).toEqual([1, 3, 3, undefined]);
    expect(productsNamed(chosen)).toEqual(["AN-1"]);
    const last = withProduct(sheet, sheet.rows[3]!, other, called);
    expect(judge(last, called).map(({ item }) => item?.id)).toEqual([1, undefined, undefined, 3]);
  });

  it("name each product once", () => {
    const sheet = sheetOf(readPasted("AN-1\t1\nAN-1\t2\n\t3\nCadena\t4"));
    expect(productsNamed(sheet)).toEqual(["AN-1", "Cadena"]);
  });
});

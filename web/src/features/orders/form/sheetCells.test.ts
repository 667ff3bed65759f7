// @vitest-environment node
import { describe, expect, it } from "vitest";
import { dayOrder, piecesSign, readDay, readPieces } from "./sheetCells";

describe("quantities", () => {
  it.each([
    ["12", null, 12],
    [12, null, 12],
    ["12.00", null, 12],
    ["1,200,000", null, 1_200_000],
    ["1,200.00", null, 1_200],
    ["1.200,00", null, 1_200],
    ["1,200", ",", 1_200],
    ["1.200", ".", 1_200],
    ["1,200", null, "quantitySign"],
    ["1.200", null, "quantitySign"],
    ["1,200", ".", "quantityNotWhole"],
    ["1.200", ",", "quantityNotWhole"],
    ["1,2", null, "quantityNotWhole"],
    [2.5, null, "quantityNotWhole"],
    ["2.5", ".", "quantityNotNumber"],
    ["doce", null, "quantityNotNumber"],
    ["12 pzas", null, 12],
    ["12pcs.", null, 12],
    ["12 PZ", null, 12],
    ["12 piezas", null, 12],
    ["1 200", null, 1_200],
    ["1\u00A0200\u00A0000", null, 1_200_000],
    ["1 200 pzas", null, 1_200],
    ["1 200,5", null, "quantityNotWhole"],
    ["1,200 pcs", ",", 1_200],
    ["12 200 3", null, "quantityNotNumber"],
    // A pair may be one piece or two.
    ["12 pares", null, "quantityNotNumber"],
    ["12 PR", null, "quantityNotNumber"],
    ["2 dz", null, "quantityNotNumber"],
    ["pzas", null, "quantityNotNumber"],
    ["-3", null, "quantityNotNumber"],
    [true, null, "quantityNotNumber"],
    ["", null, "quantityMissing"],
    [null, null, "quantityMissing"],
  ] as const)("%j with thousands separator %j is %j", (cell, sign, read) => {
    expect(readPieces(cell, sign)).toBe(read);
  });

  it.each([
    [["1,200", "3"], null],
    [["1,200", "2.5"], ","],
    [["1.200", "1,5"], "."],
    [["1,200", "1,200,000"], ","],
    [["1,200", "1.200.000"], "."],
    [["2.5", "2,5"], null],
    [["1.200,000", "3"], "."],
    [["1,200.000", "3"], ","],
  ] as const)("a column of %j proves the thousands separator %j", (cells, sign) => {
    expect(piecesSign(cells)).toBe(sign);
  });
});

describe("a column that one person wrote", () => {
  /** The ways to write a number of pieces with `sign` between thousands. */
  const written = (pieces: number, sign: "," | ".") => {
    const point = sign === "," ? "." : ",";
    const plain = String(pieces);
    const grouped = plain.replaceAll(/\B(?=(\d{3})+$)/g, sign);
    return [plain, grouped].flatMap((text) =>
      ["", "0", "00", "000"].map((places) => (places === "" ? text : text + point + places)),
    );
  };
  const counts = [1, 12, 200, 999, 1_200, 12_000, 999_999, 1_200_000];

  it.each([",", "."] as const)("with %j between the thousands is never misread", (sign) => {
    const cells = counts.flatMap((pieces) =>
      written(pieces, sign).map((text) => [text, pieces] as const),
    );
    const fractions = ["2.5", "0.200", "1200.250"].map((text) =>
      sign === "," ? text : text.replace(".", ","),
    );
    const misread = cells.flatMap(([text, pieces]) =>
      [...cells.map(([other]) => other), ...fractions].flatMap((other) => {
        const read = readPieces(text, piecesSign([text, other]));
        return typeof read === "string" || read === pieces ? [] : [{ text, other, read }];
      }),
    );
    expect(misread).toEqual([]);
  });

  it.each([",", "."] as const)(
    "with %j between the thousands is read if the separator is known",
    (sign) => {
      for (const pieces of counts) {
        for (const text of written(pieces, sign)) expect(readPieces(text, sign)).toBe(pieces);
      }
    },
  );
});

describe("days", () => {
  it.each([
    ["2026-12-18", null, "2026-12-18"],
    ["18/12/2026", null, "2026-12-18"],
    ["12/18/2026", null, "2026-12-18"],
    ["18-dic-2026", null, "2026-12-18"],
    ["18 Dec 26", null, "2026-12-18"],
    ["18-Sept-2026", null, "2026-09-18"],
    ["18 mariposa 2026", null, "dayWrong"],
    ["18 ma 2026", null, "dayWrong"],
    ["5.5.2026", null, "2026-05-05"],
    ["03/04/2026", "dayFirst", "2026-04-03"],
    ["03/04/2026", "monthFirst", "2026-03-04"],
    ["03/04/2026", null, "dayOrder"],
    ["31/02/2026", null, "dayWrong"],
    ["pronto", null, "dayWrong"],
    [46_374, null, "2026-12-18"],
    [46_374.5, null, "2026-12-18"],
    [12, null, "dayWrong"],
    [99_999, null, "dayWrong"],
    ["46374", null, "dayWrong"],
    ["2027-01-15 00:00:00", null, "2027-01-15"],
    ["2027-01-15T00:00:00Z", null, "2027-01-15"],
    ["2027-01-15T08:30:00.000-06:00", null, "2027-01-15"],
    ["2027/01/15", null, "2027-01-15"],
    ["20270115", null, "2027-01-15"],
    ["0027-01-15", null, "dayWrong"],
    ["2027/1/5 13:30", null, "2027-01-05"],
    ["18/12/2026 12:00:00 AM", null, "2026-12-18"],
    ["03/04/2026 00:00", "dayFirst", "2026-04-03"],
    ["January 15, 2027", null, "2027-01-15"],
    ["Friday, Jan. 15th, 2027", null, "2027-01-15"],
    ["15 de enero de 2027", null, "2027-01-15"],
    ["viernes, 15 de Enero del 2027", null, "2027-01-15"],
    ["miércoles 1º de diciembre de 2027", null, "2027-12-01"],
    ["enero 15, 2027", null, "2027-01-15"],
    ["antes 15 de enero de 2027", null, "dayWrong"],
    ["2027/13/15", null, "dayWrong"],
    ["Smarch 15, 2027", null, "dayWrong"],
    ["31 de febrero de 2027", null, "dayWrong"],
    ["", null, ""],
    [null, null, ""],
  ] as const)("%j with %j is %j", (cell, order, read) => {
    const found = readDay(cell, order);
    expect(found.day ?? (found as { why: string }).why).toBe(read);
  });

  it.each([
    [["03/04/2026", "18/04/2026"], "dayFirst"],
    [["03/04/2026", "04/18/2026"], "monthFirst"],
    [["18/04/2026", "04/18/2026"], null],
    [["03/04/2026"], null],
  ] as const)("a column of %j proves the order %j", (cells, order) => {
    expect(dayOrder(cells)).toBe(order);
  });
});

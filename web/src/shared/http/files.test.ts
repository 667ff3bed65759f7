import { expect, it } from "vitest";
import { fileNameOf } from "./files";

it("reads the file name from Content-Disposition", () => {
  expect(fileNameOf('attachment; filename="PO#_A-1-Linea_2.pdf"')).toBe("PO#_A-1-Linea_2.pdf");
  expect(fileNameOf('attachment; filename="PO#_a \\"b\\".pdf"')).toBe('PO#_a "b".pdf');
  expect(fileNameOf("attachment; filename*=utf-8''PO%23_%C3%B1-Linea_1.pdf")).toBe(
    "PO#_ñ-Linea_1.pdf",
  );
  expect(fileNameOf(null)).toBeNull();
});

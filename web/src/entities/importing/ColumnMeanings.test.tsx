import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { FileDoubt } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { ColumnMeanings, type FileColumn } from "./ColumnMeanings";
import { csvOf } from "./files";

beforeAll(async () => {
  await startI18n();
});
afterEach(cleanup);

const OPTIONS = [
  { value: "key", label: "Clave" },
  { value: "name", label: "Nombre" },
  { value: "sellPrice", label: "Precio de venta" },
];
const OWNERS: FileColumn[] = [
  { head: "Código", sample: "AN-1", column: "key" },
  { head: "Artículo", sample: "Anillo", column: "name" },
  { head: "Precio", sample: "$320.00", column: "sellPrice" },
  { head: "Proveedor", sample: "Taxco", column: null },
];
const asked = (params: FileDoubt["params"]): FileDoubt => ({ code: "columns", params });

function shown(columns: FileColumn[], doubt?: FileDoubt) {
  const chosen = vi.fn<(columns: (string | null)[]) => void>();
  function Held() {
    const [held, setHeld] = useState(columns);
    const [note, setNote] = useState<string | null>(null);
    return (
      <ColumnMeanings
        columns={held}
        options={OPTIONS}
        byHeads
        doubt={doubt}
        note={note}
        onChange={(next, said) => {
          chosen(next);
          setNote(said);
          setHeld(held.map((one, place) => ({ ...one, column: next[place] ?? null })));
        }}
      />
    );
  }
  render(<Held />);
  return chosen;
}

async function choose(head: string, meaning: string) {
  await userEvent.click(screen.getByRole("combobox", { name: `Columna ${head}` }));
  const found = await screen.findAllByText(meaning);
  await userEvent.click(found.at(-1)!);
}

it("proposes what columns seem to be, says which are not used, and takes one click", async () => {
  const doubt = asked({
    missing: [],
    duplicate: [],
    proposed: ["Código", "Artículo", "Precio"],
    unknown: ["Proveedor"],
  });
  const chosen = shown(OWNERS, doubt);
  const { textContent } = screen.getByRole("group", { name: /Revise/ });
  expect(textContent).toMatch(/Revise lo que parecen ser: Código, Artículo, Precio\./);
  expect(textContent).toMatch(/No se usan: Proveedor\./);
  await userEvent.click(screen.getByRole("button", { name: "Las columnas están bien" }));
  expect(chosen.mock.calls).toEqual([[["key", "name", "sellPrice", null]]]);
});

it("cannot be confirmed before the column that identifies a record is chosen", async () => {
  const doubt = asked({ missing: ["Clave"], duplicate: [], proposed: [], unknown: ["Modelo"] });
  const columns = [{ head: "Modelo", sample: "AN-1", column: null }, ...OWNERS.slice(1, 3)];
  const chosen = shown(columns, doubt);
  expect(screen.getByText(/Diga cuál columna es «Clave»/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Las columnas están bien" })).toBeNull();
  await choose("Modelo", "Clave");
  expect(chosen.mock.calls).toEqual([[["key", "name", "sellPrice"]]]);
});

it("moves a meaning that another column had, and says so", async () => {
  const chosen = shown(OWNERS);
  await choose("Proveedor", "Precio de venta");
  expect(chosen.mock.calls).toEqual([[["key", "name", null, "sellPrice"]]]);
  expect(screen.getByRole("status").textContent).toBe(
    "«Precio de venta» era la columna «Precio»; ahora es «Proveedor», y «Precio» no se usa.",
  );
});

it("names several heads of one column", () => {
  shown(
    OWNERS,
    asked({ missing: [], duplicate: ["Clave", "Key"], proposed: [], unknown: ["", "Peso"] }),
  );
  expect(screen.getByText(/Varias columnas dicen lo mismo: Clave, Key\. Elija/)).toBeDefined();
  expect(screen.getByText(/No se usan: sin encabezado, Peso\./)).toBeDefined();
});

it("writes refused rows so that spreadsheets read them as they were", () => {
  const file = csvOf([
    ["Clave", "Notas", "Motivos"],
    ["007", 'con "comillas", y\nrenglón', ""],
    ["=1+1", "-5", "1,200"],
  ]);
  expect(file).toBe(
    '\uFEFFClave,Notas,Motivos\r\n007,"con ""comillas"", y\nrenglón",\r\n\'=1+1,-5,"1,200"\r\n',
  );
});

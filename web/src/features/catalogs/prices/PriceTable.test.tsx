import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { PriceColumn, PriceRow } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { NO_EDITS, withTyped, type Edits } from "./grid";
import { PriceTable } from "./PriceTable";

const COLUMNS: PriceColumn[] = [
  ["Fundición", 3, 9.25],
  ["Pulido", 4, 4.5],
].map(([name, id, price]) => ({
  productionProcessId: id as number,
  productionProcessName: name as string,
  unit: "piece",
  price: price as number,
  currency: "MXN",
  since: null,
  planned: [],
}));
const ROWS: PriceRow[] = [
  {
    id: 1,
    key: "AN-1",
    name: "Anillo",
    nameEnglish: "",
    prices: [
      {
        id: 10,
        productionProcessId: 4,
        unit: "gram",
        price: 3.2,
        since: "2026-03-14T06:00:00.000Z",
      },
    ],
    planned: [
      {
        id: 11,
        productionProcessId: 3,
        unit: "piece",
        price: 7,
        since: "2099-03-14T06:00:00.000Z",
      },
    ],
  },
];
const onUnplan = vi.fn<(id: number) => void>();
/** Receives what is typed, as the page keeps it. */
const onEdits = vi.fn<(edits: Edits) => void>();

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

function Shown({ mayUpdate = true }: { mayUpdate?: boolean }) {
  const [held, setHeld] = useState(NO_EDITS);
  useEffect(() => onEdits(held), [held]);
  return (
    <PriceTable
      columns={COLUMNS}
      rows={ROWS}
      edits={held}
      refused={new Map([["1/4", "No se puede"]])}
      onType={mayUpdate ? (typed) => setHeld((was) => withTyped(was, typed)) : undefined}
      onUnplan={onUnplan}
    />
  );
}

const field = (product: string, process: string) =>
  screen.getByRole<HTMLInputElement>("textbox", { name: `Precio de ${product} en ${process}` });
const ALL = "Todos los productos";
const RING = "AN-1 Anillo";
const texts = () => [...onEdits.mock.lastCall![0].values()].map(({ text }) => text);

it("shows what a product earns in bold, and in grey what all products earn", () => {
  render(<Shown />);
  expect(field(ALL, "Fundición").value).toBe("9.25");
  expect(field(RING, "Fundición").value).toBe("");
  expect(field(RING, "Fundición").placeholder).toBe("9.25");
  expect(field(RING, "Pulido").value).toBe("3.20/g");
  const isOwn = (name: string) => field(RING, name).classList.contains("ob-price-grid__input--own");
  expect([isOwn("Fundición"), isOwn("Pulido")]).toEqual([false, true]);
  expect(screen.getByText(/7\.00 desde 2099-03-14/)).toBeTruthy();
});

it("goes down by Enter and the arrow, and up by Shift and Enter and the arrow", () => {
  render(<Shown />);
  const [above, below] = [field(ALL, "Pulido"), field(RING, "Pulido")];
  above.focus();
  fireEvent.keyDown(above, { key: "Enter" });
  expect(document.activeElement).toBe(below);
  fireEvent.keyDown(below, { key: "ArrowUp" });
  expect(document.activeElement).toBe(above);
  fireEvent.keyDown(above, { key: "ArrowDown" });
  fireEvent.keyDown(below, { key: "Enter", shiftKey: true });
  expect(document.activeElement).toBe(above);
  fireEvent.keyDown(above, { key: "ArrowUp" });
  expect(document.activeElement).toBe(above);
});

it("takes back what was typed by Escape", () => {
  render(<Shown />);
  fireEvent.change(field(RING, "Fundición"), { target: { value: "8" } });
  expect(texts()).toEqual(["8"]);
  fireEvent.keyDown(field(RING, "Fundición"), { key: "Escape" });
  expect(texts()).toEqual([]);
  expect(field(RING, "Fundición").value).toBe("");
});

it("says what is no price, and what the server refused, at the cell", () => {
  render(<Shown />);
  fireEvent.change(field(RING, "Fundición"), { target: { value: "mucho" } });
  const [wrong, refused] = [field(RING, "Fundición"), field(RING, "Pulido")];
  expect(wrong.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getAllByRole("alert").map(({ id }) => id)).toEqual([
    wrong.getAttribute("aria-describedby"),
    refused.getAttribute("aria-describedby"),
  ]);
  fireEvent.change(field(ALL, "Fundición"), { target: { value: "" } });
  expect(screen.getByText("Escriba un precio")).toBeTruthy();
});

it("fills cells that were copied from a sheet, and leaves a single one to the field", () => {
  render(<Shown />);
  const paste = (text: string) => {
    const target = field(ALL, "Fundición");
    const event = createEvent.paste(target, { clipboardData: { getData: () => text } });
    fireEvent(target, event);
    return event.defaultPrevented;
  };
  expect(paste("10\n")).toBe(false);
  expect(texts()).toEqual([]);
  expect(paste("10\t11\n12\t13/g")).toBe(true);
  expect(texts()).toEqual(["10", "11", "12", "13/g"]);
  expect(field(RING, "Pulido").value).toBe("13/g");
});

it("removes a planned price by its button", () => {
  render(<Shown />);
  fireEvent.click(screen.getByRole("button", { name: /^Quitar lo planeado: 7\.00/ }));
  expect(onUnplan.mock.calls).toEqual([[11]]);
});

it("has no field for a user who may only read", () => {
  render(<Shown mayUpdate={false} />);
  expect(screen.queryAllByRole("textbox")).toEqual([]);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText("3.20/g")).toBeTruthy();
});

import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { serve, showPage } from "@/testing/pages";
import { WeightFields } from "./WeightFields";
import { NO_WEIGHTS, type Loss } from "./weights";

type Given = Partial<Parameters<typeof WeightFields>[0]>;

function Sheet({ value: first = NO_WEIGHTS, ...given }: Given) {
  const [value, setValue] = useState(first);
  return (
    <WeightFields
      type="out"
      required
      refused={null}
      loss={null}
      {...given}
      value={value}
      onChange={setValue}
    />
  );
}

const loss: Loss = { grams: 1.8, came: 150, perMille: 12, allowed: 20 };
const reason = () => screen.queryByRole("textbox", { name: /¿Por qué/ });

beforeAll(() => startI18n());
beforeEach(() => void serve({}));

it("asks for one weight, and folds the others until one is given", () => {
  const { unmount } = render(<Sheet />);
  const folded = () => screen.getByText("Piedras, chatarra, metal agregado").closest("details")!;
  expect(folded().open).toBe(false);
  const names = [...folded().querySelectorAll("label")].map(({ textContent }) => textContent);
  expect(names).toEqual(["Piedras y otros", "Chatarra", "Metal agregado (soldadura, avíos)"]);
  unmount();
  render(<Sheet value={{ ...NO_WEIGHTS, grams: 12, scrapGrams: 1 }} />);
  expect(folded().open).toBe(true);
});

it("says what the pieces weighed when they entered, before they are weighed", () => {
  render(<Sheet entered={124.8241} />);
  expect(screen.getByText("124.824 g").closest("p")?.textContent).toBe("Entraron: 124.824 g");
});

it("asks for the weight of the good pieces, if others are scrapped by the same press", () => {
  render(<Sheet entered={21.1} good={4} />);
  expect(screen.getByText("21.1 g").closest("p")?.textContent).toBe(
    "Entraron, con la baja: 21.1 g",
  );
  expect(screen.getByRole("textbox", { name: /^Peso de las 4 piezas buenas/ })).toBeTruthy();
});

it("has no scrap and no added metal for an entry", () => {
  render(<Sheet type="in" />);
  expect(screen.queryByText("Chatarra")).toBeNull();
  expect(screen.getByText("Piedras y otros")).toBeTruthy();
});

it.each([
  [true, false, "Pese las piezas: escriba los gramos o use la báscula."],
  [true, true, "Sin conexión puede seguir sin el peso: la línea quedará en «Por pesar»."],
  [false, false, null],
])("says if the weight is needed (required %s, offline %s)", (required, offline, hint) => {
  render(<Sheet required={required} offline={offline} />);
  const field = screen.getByRole("textbox", { name: required ? "Peso" : "Peso si lo pesa" });
  const id = field.getAttribute("aria-describedby");
  expect(id && document.querySelector(`[id="${id}"]`)?.textContent).toBe(hint);
  expect(field.getAttribute("aria-required")).toBe(String(required && !offline));
});

it("says what is lost, and asks why over the allowance", async () => {
  const { rerender } = render(<Sheet loss={loss} />);
  const said = () => screen.getByText(/^Merma/);
  expect(said().textContent).toBe("Merma 1.8 g · 1.2 % · permitida 2 %");
  expect(said().className).not.toContain("warning");
  expect(reason()).toBeNull();
  rerender(<Sheet loss={{ ...loss, grams: 3.001, perMille: 20 }} />);
  expect(said().className).toContain("ob-note--warning");
  await userEvent.type(reason()!, "Se fundió");
  rerender(<Sheet loss={null} />);
  expect(reason()).toHaveProperty("value", "Se fundió");
});

it("names no allowance where none is said", () => {
  render(<Sheet loss={{ ...loss, allowed: null }} />);
  expect(screen.getByText(/^Merma/).textContent).toBe("Merma 1.8 g · 1.2 %");
});

it.each([
  ["grams_required", "Pese las piezas", false],
  [
    "grams_heavier",
    "Pese las piezas. Si se agregó soldadura o llevan piedras, anótelo abajo: «Piedras, chatarra, metal agregado»",
    true,
  ],
  ["grams_refused", "Pese las piezas", false],
])("says at the field what to do about %s", (code, said, asksWhy) => {
  render(<Sheet refused={{ code, message: "Pese las piezas" }} />);
  expect(screen.getByRole("alert").textContent).toBe(said);
  expect(reason() !== null).toBe(asksWhy);
});

it("asks at an entry why the pieces weigh so much more than before", () => {
  render(<Sheet type="in" refused={{ code: "grams_heavier", message: "211 g" }} />);
  expect(screen.getByRole("alert").textContent).toMatch(/^211 g. Revise el punto decimal/);
  expect(reason()).not.toBeNull();
});

const TRAYS = {
  answers: {
    "GET /api/metal/trays": [{ id: 4, code: "CH-1", grams: 12.5, status: true, version: 1 }],
  },
};

it("takes the chosen tray off, and says what the pieces weigh", async () => {
  showPage(<Sheet value={{ ...NO_WEIGHTS, grams: 62.5 }} />, TRAYS);
  fireEvent.mouseDown(await screen.findByRole("combobox", { name: "Charola (se descuenta)" }));
  fireEvent.click(await screen.findByTitle("CH-1 · 12.5 g"));
  expect(screen.getByText("Piezas: 50 g")).toBeTruthy();
});

it("asks for the alloy of metal that was added, and for no tray where there is none", () => {
  render(<Sheet value={{ ...NO_WEIGHTS, grams: 62.5, addedGrams: 1 }} />);
  expect(screen.getByRole("combobox", { name: "Aleación del metal agregado" })).toBeTruthy();
  expect(screen.queryByRole("combobox", { name: /Charola/ })).toBeNull();
});

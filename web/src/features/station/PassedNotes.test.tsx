import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aRecord } from "@/testing/lines";
import { PassedNotes } from "./PassedNotes";

const inside = {
  ...aRecord(),
  inputDate: "2026-03-14T15:00:00Z",
  inputNotes: "Cuidado con el broche",
};
const out = {
  ...aRecord(),
  id: 499,
  productionProcessName: "Cera",
  inputDate: "2026-03-13T15:00:00Z",
  inputNotes: "Nota de la entrada",
  outputDate: "2026-03-14T14:00:00Z",
  outputUsername: "Rosa Soto",
  outputNotes: "Falta pulir",
};
const notes = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

beforeAll(() => startI18n());

it("shows the note of the pieces inside and that of the last exit, with who and when", () => {
  render(<PassedNotes records={[out, inside]} />);
  const [first, second, ...more] = notes();
  expect(first).toMatch(/^Cuidado con el broche Luis Vega · Vaciado · .*14 mar.* 09:00$/);
  expect(second).toMatch(/^Falta pulir Rosa Soto · Cera · .*14 mar.* 08:00$/);
  expect(more).toEqual([]);
});

it("shows a note once that a movement wrote into several records, and at most two notes", () => {
  const older = { ...out, id: 498, outputDate: "2026-03-14T13:00:00Z", outputNotes: "Urgente" };
  const oldest = { ...out, id: 497, outputDate: "2026-03-14T12:00:00Z", outputNotes: "Reparado" };
  render(<PassedNotes records={[oldest, older, { ...out, id: 496 }, out]} />);
  expect(notes().map((note) => /^\S+ \S+/.exec(note)?.[0])).toEqual([
    "Falta pulir",
    "Urgente Rosa",
  ]);
});

it("shows nothing without a note, and no note of a released record", () => {
  render(<PassedNotes records={[aRecord(), { ...out, released: true }]} />);
  expect(screen.queryByRole("list")).toBeNull();
});

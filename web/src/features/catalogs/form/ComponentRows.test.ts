import { expect, it } from "vitest";
import { isRepeated, isThereOtherwise, type ComponentRow } from "./ComponentRows";

const row = (componentId: number | null, materialId: number | null = null, notes = "") =>
  ({ componentId, componentName: "", materialId, materialName: "", notes }) satisfies ComponentRow;

it.each([
  ["the same component", [row(1), row(1)], true, false],
  ["the same of another material", [row(1, 5), row(1, 6)], false, true],
  ["the same with other notes", [row(1, 5, "arriba"), row(1, 5, "abajo")], false, true],
  ["another component", [row(1), row(2)], false, false],
  ["none chosen yet", [row(null), row(null)], false, false],
])(
  "refuses a repeated component and warns about one already added: %s",
  (_case, rows, ...found) => {
    const id = rows[1]!.componentId;
    expect([isRepeated(rows, 1, id), isThereOtherwise(rows, 1, id)]).toEqual(found);
  },
);

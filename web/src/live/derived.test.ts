import { expect, it } from "vitest";
import type { LineStatus } from "@/contract";
import cases from "../../../tests/contract/figures.json";
import waits from "../../../tests/contract/waiting.json";
import { figuresOf, waitingOf } from "./derived";

it.each(cases)("an order's figures as the server counts them: $name", ({ lines, figures }) => {
  const counted = lines.map((line) => ({ ...line, status: line.status as LineStatus }));
  expect(figuresOf(counted)).toEqual(figures);
});

it.each(waits)("where free pieces wait, as the server says: $name", (each) => {
  const mayEnter = each.mayEnter.map(([productionProcessId = 0, maxQuantity = 0]) => ({
    productionProcessId,
    productionProcessName: "",
    maxQuantity,
  }));
  const found = waitingOf(mayEnter, each.usual).map((row) => [
    String(row.productionProcessId),
    row.quantity,
  ]);
  expect(Object.fromEntries(found)).toEqual(each.waiting);
});

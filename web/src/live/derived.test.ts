import { expect, it } from "vitest";
import type { LineStatus, SalesOrder } from "@/contract";
import { keyOf, ORDER } from "@/shared/http/keys";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine, anOrder, aMovement, aRecord } from "@/testing/lines";
import cases from "../../../tests/contract/figures.json";
import shares from "../../../tests/contract/progress.json";
import waits from "../../../tests/contract/waiting.json";
import { applicationsOf } from "./apply";
import { figuresOf, progress, progressOf, waitingOf } from "./derived";

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

it.each(shares)("how far an order is, as the server says: $name", (each) => {
  const onTheWay = new Map(
    Object.entries(each.onTheWay).map(([usual, left]) => [Number(usual), left]),
  );
  expect(progress(each.done, onTheWay, each.pieces)).toBe(each.progress);
});

it("counts for an order's progress what left a usual process and was not released", () => {
  const left = { ...aRecord(), quantity: 5, outputDate: "2026-03-14T16:00:00Z" };
  const productionProcesses = [
    left,
    { ...left, id: 2, released: true },
    { ...left, id: 3, outputDate: null },
    { ...left, id: 4, productionProcessId: 9 },
  ];
  const items = [
    aLine({ productionProcesses }),
    aLine({ position: 2, productionProcesses, status: "Canceled" }),
    aLine({ position: 3, productionProcesses, itemId: 8 }),
    aLine({ position: 4, status: "Done", quantityDone: 10 }),
  ];
  expect(progressOf(anOrder({ items }))).toBe(0.4167);
});

it("asks for an order where a movement of others does not tell its progress", () => {
  storeSession(aSession({ user: { ...aSession().user, id: 7 } }));
  const key = keyOf(ORDER, { path: { order_id: 1 } });
  const asks = (document: Parameters<typeof aMovement>[0], order: SalesOrder) =>
    applicationsOf(aMovement(document)).some(
      ({ covers, concerns, reload }) =>
        reload !== undefined && covers(key) && concerns?.(order) !== false,
    );
  expect(asks({}, anOrder())).toBe(false);
  expect(asks({ status: "Done" }, anOrder())).toBe(true);
  expect(asks({}, anOrder({ items: [aLine({ status: "Done" })] }))).toBe(true);
  expect(asks({}, anOrder({ usualProcesses: [] }))).toBe(true);
  expect(asks({ status: "Done" }, anOrder({ items: [aLine({ version: 99 })] }))).toBe(false);
});

// @vitest-environment node
import { expect, it } from "vitest";
import { aLine } from "@/testing/lines";
import { summarize } from "./summary";

it("counts the pieces of finished lines among those that are not canceled", () => {
  const items = [
    aLine({ status: "Done", quantity: 6, quantityDone: 6 }),
    aLine({ status: "InProcess", quantity: 10 }),
    aLine({ status: "Canceled", quantity: 99 }),
  ];
  expect(summarize({ items })).toMatchObject({ lines: 2, done: 6, pieces: 16 });
});

it("names the next delivery of what is still open", () => {
  const items = [
    aLine({ status: "Done", deliveryDate: "2026-01-01" }),
    aLine({ status: "New", deliveryDate: "2026-03-02" }),
    aLine({ status: "New", deliveryDate: "2026-02-09" }),
    aLine({ status: "New", deliveryDate: null }),
  ];
  expect(summarize({ items }).earliest).toBe("2026-02-09");
  expect(summarize({ items: items.slice(0, 1) }).earliest).toBe("2026-01-01");
  expect(summarize({ items: [] }).earliest).toBeNull();
});

it("is late with one late open line", () => {
  expect(summarize({ items: [aLine({ late: true }), aLine()] }).late).toBe(true);
  expect(summarize({ items: [aLine({ status: "Canceled", late: true })] }).late).toBe(false);
});

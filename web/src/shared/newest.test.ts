// @vitest-environment node
import { expect, it } from "vitest";
import type { SalesOrder } from "@/contract";
import { aLine } from "@/testing/lines";
import { newest, newestOrder } from "./newest";

it("takes an answer, unless what is held is newer", () => {
  const [older, newer] = [{ version: 1 }, { version: 2 }];
  expect(newest(newer)(undefined)).toBe(newer);
  expect(newest(newer)(older)).toBe(newer);
  expect(newest(older)(newer)).toBe(newer);
});

it("keeps of an order the lines that have gone on since", () => {
  const order = (version: number, ...versions: number[]) =>
    ({
      version,
      status: version === 2 ? "InProcess" : "Approved",
      items: versions.map((each, index) => aLine({ position: index + 1, version: each })),
    }) as Partial<SalesOrder> as SalesOrder;
  const kept = newestOrder(order(2, 5, 7))(order(1, 6, 6));
  expect(kept.status).toBe("InProcess");
  expect(kept.items.map(({ version }) => version)).toEqual([6, 7]);
  expect(newestOrder(order(2, 5))(undefined).items).toHaveLength(1);
});

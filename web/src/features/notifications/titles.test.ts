import type { TFunction } from "i18next";
import { beforeEach, expect, it, vi } from "vitest";
import type { Notification } from "@/contract";
import { titleOf } from "./titles";

const keys = ((key: string) => key) as TFunction<"notifications">;
const about = (type: Notification["type"], deliveryDate: string | null) => ({
  type,
  message: {
    notes: "PO-1",
    position: 1,
    salesOrderId: 1,
    productionProcessId: null,
    deliveryDate,
  },
});

// Nine in the evening of the 14th in the plant, when it is the 15th elsewhere.
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-03-15T03:00:00Z") });
  return () => vi.useRealTimers();
});

it.each([
  ["2026-03-15", "expiring"],
  ["2026-03-14", "dueToday"],
  ["2026-03-13", "late"],
])("a delivery of %s is %s", (day, title) => {
  expect(titleOf(about("SalesOrderDeliveryDateExpiring", day), keys)).toBe(title);
});

it("says of pieces that are inside for long that they have not left", () => {
  expect(titleOf(about("SalesOrderWithoutOutputProcess", null), keys)).toBe("withoutOutput");
});

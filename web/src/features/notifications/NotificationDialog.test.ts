import { expect, it } from "vitest";
import type { Notification } from "@/contract";
import { aNotification } from "@/testing/builders";
import { parted, sorted } from "./NotificationDialog";

const notification = (id: number, read: boolean, type: Notification["type"]) =>
  aNotification({}, { id, read, type });

it("sorts unread ones first, then those without an exit process, then likely late ones", () => {
  const rows = [
    notification(1, true, "SalesOrderWithoutOutputProcess"),
    notification(2, false, "SalesOrderDeliveryDateExpiring"),
    notification(3, false, "SalesOrderWithoutOutputProcess"),
    notification(4, false, "SalesOrderDeliveryDateExpiring"),
    notification(5, false, "likelyLate"),
  ];
  expect(sorted(rows).map(({ id }) => id)).toEqual([3, 5, 2, 4, 1]);
});

it("keeps customers' answers below the list of the two kinds", () => {
  const rows = [
    notification(1, false, "customerAnswer"),
    notification(2, false, "likelyLate"),
    notification(3, false, "SalesOrderWithoutOutputProcess"),
  ];
  const { inList, answers } = parted(rows);
  expect(inList.map(({ id }) => id)).toEqual([2, 3]);
  expect(answers.map(({ id }) => id)).toEqual([1]);
});

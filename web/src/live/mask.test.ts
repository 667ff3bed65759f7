import { expect, it } from "vitest";
import type { Permission } from "@/contract";
import cases from "../../../tests/contract/mask.json";
import notified from "../../../tests/contract/notified.json";
import { keyOf, UNREAD } from "@/shared/http/keys";
import { storeSession } from "@/shared/session/session";
import { aNotification, aSession } from "@/testing/builders";
import { applicationsOf } from "./apply";
import { isNotified, mask } from "./mask";

type Offers = Parameters<typeof mask>[0];

it.each(cases)("$name", ({ offers, permissions, processes, actions }) => {
  const rights = { permissions: permissions as Permission[], processes };
  expect(mask(offers as Offers, rights)).toEqual(actions);
});

it.each(notified)("$name: $notified", ({ permissions, processes, process, notified: expected }) => {
  expect(isNotified(process, { permissions: permissions as Permission[], processes })).toBe(
    expected,
  );
});

it("draws no notification of what is somebody else's to see to", () => {
  const application = applicationsOf({
    id: 1,
    at: "2026-03-02T12:00:00.000Z",
    by: null,
    type: "notification.created",
    data: aNotification({ productionProcessId: 2, productionProcessName: "Fundición" }),
  }).find(({ covers }) => covers(keyOf(UNREAD)));
  const worker = (...productionProcessIds: number[]) =>
    storeSession(
      aSession({
        user: { ...aSession().user, productionProcessIds },
        permissions: ["ListOrders", "Station"],
      }),
    );
  worker(1);
  expect(application?.concerns?.([])).toBe(false);
  worker(1, 2);
  expect(application?.concerns?.([])).toBe(true);
});

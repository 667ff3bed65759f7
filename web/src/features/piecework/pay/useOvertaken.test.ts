import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { LiveEvent, Payable } from "@/contract";
import { ApiError } from "@/shared/http/ApiError";
import { basketOf } from "../basket";
import { useOvertaken } from "./useOvertaken";

let receive: (event: LiveEvent) => void;
vi.mock("@/live/LiveProvider", () => ({
  useLiveEvents: (listener: typeof receive) => {
    receive = listener;
  },
}));
vi.mock("@/shared/session/session", async (original) => ({
  ...(await original<object>()),
  useSignedIn: () => ({ user: { id: 1 } }),
}));

const RECORD = 7;
const first = basketOf([{ id: RECORD, remainingQuantity: 10 } as Payable]);
const start = () => renderHook(() => useOvertaken(first)).result;

function paid(id: number, quantity: number, createdAt: string, status = "Paid") {
  const payment = { id, status, createdAt, items: [{ processRecordId: RECORD, quantity }] };
  const by = { id: 2, fullName: "Eva Luna" };
  act(() => receive({ type: "payment.changed", by, data: { payment } } as LiveEvent));
}

function refused(remainingQuantity: number, paymentId: number, paidAt: string) {
  const params = {
    records: [{ processRecordId: RECORD, remainingQuantity }],
    paid: [{ paymentId, paidBy: "Eva Luna", paidAt, records: 1 }],
  };
  return new ApiError(409, { code: "exceeds_remaining", message: "…", params, errors: [] });
}

it("subtracts what others pay and adds what they cancel", () => {
  const now = start();
  paid(30, 4, "2026-03-14T15:00:00.100Z");
  expect(now.current.basket.get(RECORD)?.remainingQuantity).toBe(6);
  expect(now.current.meanwhile).toMatchObject([{ paymentId: 30, paidBy: "Eva Luna" }]);
  paid(30, 4, "2026-03-14T15:00:00.100Z", "Canceled");
  expect(now.current.basket.get(RECORD)?.remainingQuantity).toBe(10);
  expect(now.current.meanwhile).toEqual([]);
});

it("counts a payment once if its event comes after the refusal", () => {
  const now = start();
  act(() => now.current.take(refused(4, 31, "2026-03-14T15:00:00.200Z")));
  paid(30, 2, "2026-03-14T15:00:00.100Z");
  paid(31, 4, "2026-03-14T15:00:00.200Z");
  expect(now.current.basket.get(RECORD)?.remainingQuantity).toBe(4);
  paid(32, 1, "2026-03-14T15:00:00.300Z");
  expect(now.current.basket.get(RECORD)?.remainingQuantity).toBe(3);
});

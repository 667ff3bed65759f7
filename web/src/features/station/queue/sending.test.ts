import { beforeEach, describe, expect, it, vi } from "vitest";
import { aLine, aRecord } from "@/testing/lines";
import { sendMovement } from "./sending";
import type { Movement } from "./storage";

vi.mock("@/shared/session/session", async (original) => ({
  ...(await original<object>()),
  getSession: () => ({ user: { id: 7 } }),
}));

const RECORDED = "2026-03-14T15:00:12.000Z";
const history = [{ ...aRecord(), inputDate: RECORDED }];
const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

const bodies: Record<string, unknown>[] = [];
const fetched = vi.fn<(request: Request) => Promise<Response>>();

beforeEach(() => {
  bodies.length = 0;
  fetched.mockImplementation(async (request) => {
    const body = (await request.clone().json()) as Record<string, unknown>;
    bodies.push(body);
    return "madeAt" in body
      ? answer(422, { code: "idempotency_key_reused", message: "…" })
      : answer(200, aLine({ productionProcesses: history }));
  });
  vi.stubGlobal("fetch", fetched);
});

const movement: Movement = {
  key: "key-1",
  turn: 1,
  userId: 7,
  userName: "Ana Ruiz",
  operatorToken: null,
  type: "in",
  productionProcessId: 2,
  productionProcessName: "Vaciado",
  to: null,
  line: {
    salesOrderId: 1,
    position: 1,
    customerSalesOrderId: "PO-1",
    customerName: "Platería Norte",
    itemName: "Anillo",
    image: null,
    quantity: 10,
    deliveryDate: null,
    late: false,
  },
  quantity: 10,
  notes: "",
  madeAt: "2026-03-14T15:00:00Z",
  untimed: false,
  inDoubt: true,
  undo: null,
  refused: null,
};

describe("a movement whose first answer was lost", () => {
  it("is recorded when the server says, neither when it was pressed nor now", async () => {
    const sent = await sendMovement(movement, 60_000);
    expect(sent).toMatchObject({ kind: "done", by: RECORDED });
    expect(bodies.map((body) => body["madeAt"])).toEqual([movement.madeAt, undefined]);
  });

  it("moves nothing that follows where the server does not say", async () => {
    fetched.mockImplementation(() =>
      Promise.resolve(answer(422, { code: "idempotency_key_reused", message: "…" })),
    );
    const sent = await sendMovement(movement, 60_000);
    expect(sent).toEqual({ kind: "done", line: null, by: movement.madeAt });
    expect(fetched).toHaveBeenCalledTimes(2);
  });
});

import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { Line, SalesOrder } from "@/contract";
import { useRefusal } from "@/shared/http/optimistic";
import { forgetDocuments, put, view } from "@/shared/http/store";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession, aToken } from "@/testing/builders";
import { toast } from "@/shared/ui/toast";
import { aLine, anOrder } from "@/testing/lines";
import { Refused, serve, type Asked } from "@/testing/pages";
import { changeStatus, updateLine, updateOrder } from "./orders.writes";
import { useTakeBack } from "./useTakeBack";

const AT = "PUT /api/sales-order/4/position/2";
const KEY = { "Idempotency-Key": "k" };
const LINE = aLine({ id: 9, salesOrderId: 4, position: 2, version: 1, notes: "a", quantity: 5 });
let session = 0;

/** Each write is answered with the next version of the line. */
function server(refusal?: Refused, first = LINE): Asked[] {
  let now = first;
  const written = ({ body }: Asked) => {
    if (refusal !== undefined && now.version > 1) return refusal;
    now = { ...now, ...(body as object), version: now.version + 1 };
    return now;
  };
  return serve({
    [`${AT}/full`]: written,
    [`${AT}/update-status/Approved`]: () => written({ body: { status: "Approved" } } as Asked),
    [`${AT}/update-status/New`]: () => written({ body: { status: "New" } } as Asked),
  });
}

const press = (init: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true, ...init }),
  );

beforeEach(async () => {
  await startI18n();
  session += 1;
  storeSession(aSession({ token: aToken({ jti: `t${session}` }) }));
  forgetDocuments();
  renderHook(useTakeBack);
});

it("takes back the last changes of a line one after the other, each with the version that it made", async () => {
  const asked = server();
  const second = await updateLine(KEY, LINE, { notes: "b" });
  await updateLine(KEY, second, { quantity: 8, notes: "b" });
  press();
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]!.body).toEqual({ quantity: 5 });
  await new Promise((done) => setTimeout(done));
  press();
  await waitFor(() => expect(asked).toHaveLength(4));
  expect(asked[3]!.body).toEqual({ notes: "a" });
  press();
  await new Promise((done) => setTimeout(done));
  expect(asked).toHaveLength(4);
});

it.each([
  [["New"], 1],
  [["Done"], 0],
] as const)(
  "returns to the status that the line had while it offers %s",
  async (statuses, times) => {
    const actions = { ...LINE.actions, statuses: [...statuses] };
    const asked = server(undefined, { ...LINE, actions });
    await changeStatus(KEY, { ...LINE, status: "New" }, "Approved");
    press();
    await new Promise((done) => setTimeout(done));
    expect(asked.filter(({ path }) => path.endsWith("/New"))).toHaveLength(times);
  },
);

it("offers nothing again that somebody has changed since", async () => {
  const stale = new Refused(412, { code: "stale_version", message: "Cambió" });
  const asked = server(stale);
  await updateLine(KEY, LINE, { notes: "b" });
  press();
  await waitFor(() => expect(asked).toHaveLength(2));
  await new Promise((done) => setTimeout(done));
  press();
  await new Promise((done) => setTimeout(done));
  expect(asked).toHaveLength(2);
});

it("keeps a change that could not be sent, and sends it at the next press", async () => {
  let isDown = true;
  const asked = serve({
    [`${AT}/full`]: ({ body }: Asked) => {
      const taken = (body as { notes?: string }).notes === "a";
      if (taken && isDown) return new Refused(503, { code: "unavailable", message: "Ahora no" });
      return { ...LINE, ...(body as object), version: taken ? 3 : 2 };
    },
  });
  await updateLine(KEY, LINE, { notes: "b" });
  press();
  await waitFor(() => expect(asked).toHaveLength(2));
  await new Promise((done) => setTimeout(done));
  isDown = false;
  press();
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]!.body).toEqual({ notes: "a" });
});

it("leaves the key to a field, and forgets the changes of the last session", async () => {
  const asked = server();
  await updateLine(KEY, LINE, { notes: "b" });
  const field = document.body.appendChild(document.createElement("input"));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }));
  field.remove();
  storeSession(aSession({ token: aToken({ jti: "next" }) }));
  press();
  await new Promise((done) => setTimeout(done));
  expect(asked).toHaveLength(1);
});

const OTHER = aLine({ id: 10, salesOrderId: 4, position: 3, version: 7, quantity: 2 });
const ORDER = anOrder({ id: 4, version: 1, notes: "viejas", items: [LINE, OTHER] });
const ORDER_AT = "PUT /api/sales-order/4";

/** Each write is answered with the next version of the order, and of the lines that it names. */
function orders() {
  let now = ORDER;
  const asked = serve({
    "GET /api/sales-order/4": () => now,
    [ORDER_AT]: ({ body }: Asked) => {
      const { items = [], ...header } = body as { items?: { position: number }[] };
      const changed = new Map(items.map((item) => [item.position, item]));
      now = {
        ...now,
        ...header,
        version: now.version + 1,
        revision: now.revision + 1,
        items: now.items.map((line) => {
          const item = changed.get(line.position);
          return item === undefined ? line : { ...line, ...item, version: line.version + 1 };
        }),
      };
      return now;
    },
  });
  const others = (change: (order: SalesOrder) => SalesOrder) => {
    now = change(now);
  };
  return { others, written: () => asked.filter(({ method }) => method === "PUT") };
}
const settled = () => new Promise((done) => setTimeout(done, 20));

it("takes back the date and notes of an order, and not its customer", async () => {
  const { written } = orders();
  await updateOrder(KEY, ORDER, { notes: "nuevas", salesOrderDate: "2026-05-01", customerId: 8 });
  press();
  await waitFor(() => expect(written()).toHaveLength(2));
  expect(written()[1]!.body).toEqual({ notes: "viejas", salesOrderDate: ORDER.salesOrderDate });
});

it("takes back the dates, notes and quantities of the grid's lines at once, and leaves new lines", async () => {
  const { written } = orders();
  const items = [
    { position: 2, notes: "b", quantity: 6 },
    { position: 3, deliveryDate: "2026-06-01", itemId: 5 },
    { itemId: 5, quantity: 1 },
  ];
  const first = await updateOrder(KEY, ORDER, { notes: "nuevas" });
  await updateOrder(KEY, first, { items });
  press();
  await waitFor(() => expect(written()).toHaveLength(3));
  expect(written()[2]!.body).toEqual({
    items: [
      { position: 2, notes: "a", quantity: 5 },
      { position: 3, deliveryDate: OTHER.deliveryDate },
    ],
  });
  await settled();
  press(); // the change before it is over the version that was made by taking this one back
  await waitFor(() => expect(written()).toHaveLength(4));
  expect(written()[3]!.body).toEqual({ notes: "viejas" });
});

it.each([
  ["one of its lines", (order: SalesOrder) => withLine(order, { version: 9 }), 1],
  ["another line", (order: SalesOrder) => withLine(order, {}, { version: 9 }), 2],
  ["the order alone", (order: SalesOrder) => ({ ...order, version: 9 }), 2],
] as const)(
  "takes the grid's lines back unless somebody changed them: %s",
  async (_, change, times) => {
    const { written, others } = orders();
    await updateOrder(KEY, ORDER, { items: [{ position: 2, notes: "b" }] });
    others(change);
    press();
    await settled();
    expect(written()).toHaveLength(times);
    press();
    await settled();
    expect(written()).toHaveLength(times);
  },
);

it("takes an order's notes back unless somebody changed the order", async () => {
  const { written, others } = orders();
  const said = vi.spyOn(toast, "warning").mockImplementation(() => undefined as never);
  await updateOrder(KEY, ORDER, { notes: "nuevas" });
  others((order) => ({ ...order, version: 9 }));
  press();
  await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
  expect(said.mock.calls[0]![0]).toContain(ORDER.customerSalesOrderId);
  expect(written()).toHaveLength(1);
});

it("shows a status at the press, and why it was refused", async () => {
  put([LINE]);
  serve({
    [`${AT}/update-status/Approved`]: new Refused(409, { code: "closed", message: "Cerrada" }),
  });
  const why = renderHook(() => useRefusal(LINE));
  const sent = changeStatus(KEY, LINE, "Approved").catch((reason: Error) => reason.message);
  expect(view(LINE).status).toBe("Approved");
  expect(await sent).toBe("Cerrada");
  expect(view(LINE).status).toBe(LINE.status);
  why.rerender();
  expect(why.result.current?.message).toBe("Cerrada");
});

function withLine(order: SalesOrder, first: Partial<Line>, second: Partial<Line> = {}): SalesOrder {
  const [one, two] = order.items as [Line, Line];
  return {
    ...order,
    items: [
      { ...one, ...first },
      { ...two, ...second },
    ],
  };
}

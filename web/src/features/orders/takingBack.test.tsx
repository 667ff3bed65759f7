import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { forgetDocuments } from "@/shared/http/store";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession, aToken } from "@/testing/builders";
import { aLine } from "@/testing/lines";
import { Refused, serve, type Asked } from "@/testing/pages";
import { changeStatus, updateLine } from "./orders.writes";
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

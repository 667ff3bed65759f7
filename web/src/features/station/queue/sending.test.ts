import { beforeEach, describe, expect, it, vi } from "vitest";
import { aLine, aRecord } from "@/testing/lines";
import { forgetOperator, nameOperator } from "../operator";
import { aMovement } from "./aPress";
import { sendMovement } from "./sending";

vi.mock("@/shared/session/session", async (original) => ({
  ...(await original<object>()),
  getSession: () => ({ user: { id: 7 }, token: "of the tablet" }),
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

const movement = aMovement({ inDoubt: true });

describe("a movement with a lost first answer", () => {
  it("has the time that the server recorded, neither that of the press nor now", async () => {
    const sent = await sendMovement(movement, 60_000);
    expect(sent).toMatchObject({ kind: "done", by: RECORDED });
    expect(bodies.map((body) => body["madeAt"])).toEqual([movement.madeAt, undefined]);
  });

  it("keeps the time of the press if the server does not say", async () => {
    fetched.mockImplementation(() =>
      Promise.resolve(answer(422, { code: "idempotency_key_reused", message: "…" })),
    );
    const sent = await sendMovement(movement, 60_000);
    expect(sent).toEqual({ kind: "done", line: null, by: movement.madeAt });
    expect(fetched).toHaveBeenCalledTimes(2);
  });
});

describe("the weight of a movement", () => {
  const weights = { grams: 12.34, scrapGrams: 0.5, weightReason: "Soldadura" };
  const weighed = aMovement({ type: "out", weights });

  it("is sent with it, also if it is reported later", async () => {
    fetched.mockImplementation(async (request) => {
      bodies.push((await request.clone().json()) as Record<string, unknown>);
      return answer(200, aLine());
    });
    await sendMovement(weighed, 0);
    await sendMovement(weighed, 60_000);
    expect(bodies).toEqual([
      expect.objectContaining(weights),
      expect.objectContaining({ ...weights, madeAt: weighed.madeAt }),
    ]);
  });

  it("is not sent if none was given, by this release or an earlier one", async () => {
    fetched.mockImplementation(async (request) => {
      bodies.push((await request.clone().json()) as Record<string, unknown>);
      return answer(200, aLine());
    });
    await sendMovement(aMovement(), 60_000);
    await sendMovement(aMovement({ weights: {} }), 60_000);
    const names = bodies.map((body) => Object.keys(body).toSorted());
    const plain = ["madeAt", "notes", "productionProcessId", "quantity"];
    expect(names).toEqual([plain, plain]);
  });

  it.each([
    ["grams_required", "quantity", "grams_required", "Falta el peso"],
    ["invalid", "grams", "grams_refused", "Sin aleación"],
  ])("that is refused as %s at %s is known as %s", async (code, field, kind, said) => {
    const errors = [{ field, code: "no_alloy", message: "Sin aleación" }];
    const body = { code, message: "Falta el peso", params: {}, errors };
    fetched.mockImplementation(() => Promise.resolve(answer(422, body)));
    const sent = await sendMovement(weighed, 0);
    expect(sent).toEqual({ kind: "refused", why: { code: kind, message: said } });
  });
});

describe("scrap", () => {
  const scrap = { reason: "broken", photo: "AAAA" };
  const weights = { grams: 1.25 };
  const lost = aMovement({ type: "scrap", scrap, weights, quantity: 2, notes: "Cayó" });

  beforeEach(() => {
    fetched.mockClear();
  });

  it("is sent with its reason, weight and photo, and with its time only if it is late", async () => {
    await sendMovement(lost, 0);
    const { url } = fetched.mock.lastCall![0];
    expect(new URL(url).pathname).toBe("/api/sales-order/1/position/1/scrap");
    const what = { productionProcessId: 2, quantity: 2, notes: "Cayó" };
    expect(bodies).toEqual([{ ...what, ...weights, ...scrap }]);
    fetched.mockResolvedValue(answer(200, aLine()));
    await sendMovement(lost, 60_000);
    expect(await fetched.mock.lastCall![0].json()).toMatchObject({ madeAt: lost.madeAt });
  });

  it("is sent without what was not given", async () => {
    const plain = { reason: "lost", photo: null };
    await sendMovement({ ...lost, scrap: plain, weights: {}, notes: "" }, 0);
    expect(bodies[0]).toEqual({ productionProcessId: 2, quantity: 2, notes: "", reason: "lost" });
  });

  it.each([
    ["is undone by its key", 200, { lines: [aLine()] }, { kind: "done", line: aLine() }],
    ["never happened", 404, { code: "not_found", message: "No" }, { kind: "done", line: null }],
    [
      "is undone already",
      409,
      { code: "already_undone", message: "No" },
      { kind: "done", line: null },
    ],
    ["was made too long ago", 409, { code: "too_late", message: "No" }, { kind: "refused" }],
  ])("that was taken back in doubt is sent again first, then %s", async (_, status, body, end) => {
    const asked: string[] = [];
    fetched.mockImplementation(async ({ url }) => {
      asked.push(new URL(url).pathname);
      return asked.length === 1 ? answer(200, aLine()) : answer(status, body);
    });
    const sent = await sendMovement({ ...lost, undo: { recordId: null } }, 60_000);
    expect(sent).toMatchObject(end);
    expect(asked).toEqual(["/api/sales-order/1/position/1/scrap", "/api/presses/undo"]);
    expect(await fetched.mock.lastCall![0].json()).toEqual({ key: lost.key });
  });
});

describe("a movement of an operator", () => {
  const named = { id: 8, fullName: "Eva Luna" };
  const ofEva = aMovement({ userId: named.id, operatorToken: "operator.pressed-with" });
  const { productionProcessId } = ofEva;
  const sentBy = async (movementOf: typeof movement) => {
    const { kind } = await sendMovement(movementOf, 0);
    return kind === "done" ? fetched.mock.lastCall?.[0].headers.get("Authorization") : kind;
  };

  beforeEach(forgetOperator);

  it("is sent with the token of its press", async () => {
    expect(await sentBy(ofEva)).toBe("Bearer operator.pressed-with");
  });

  it("is sent with the new token if the same operator identified themselves again", async () => {
    nameOperator({ token: "operator.new", user: named, expiresIn: 600 }, productionProcessId);
    expect(await sentBy(ofEva)).toBe("Bearer operator.new");
    expect(await sentBy({ ...ofEva, operatorToken: null })).toBe("Bearer operator.new");
  });

  it("is never sent with a token of another station, which may move nothing here", async () => {
    nameOperator({ token: "operator.next-door", user: named, expiresIn: 600 }, 99);
    expect(await sentBy(ofEva)).toBe("Bearer operator.pressed-with");
    expect(await sentBy({ ...ofEva, operatorToken: null })).toBe("needs-person");
  });

  it("is never sent with the token of another operator", async () => {
    const other = { id: 9, fullName: "Gil Paz" };
    nameOperator({ token: "operator.of-gil", user: other, expiresIn: 600 }, productionProcessId);
    expect(await sentBy(ofEva)).toBe("Bearer operator.pressed-with");
  });
});

describe("a part that is scrapped by the same press", () => {
  const part = { quantity: 2, reason: "broken", notes: "poros", grams: 1.5, photo: "AAAA" };
  const paths: string[] = [];
  beforeEach(() => {
    paths.length = 0;
    fetched.mockImplementation(async (request) => {
      paths.push(new URL(request.url).pathname);
      bodies.push((await request.clone().json()) as Record<string, unknown>);
      return answer(200, aLine());
    });
  });

  it("is sent with the exit, now and later", async () => {
    const exit = aMovement({ type: "out", quantity: 10, part });
    await sendMovement(exit, 0);
    await sendMovement(exit, 60_000);
    expect(bodies).toEqual([
      expect.objectContaining({ quantity: 10, scrap: part }),
      expect.objectContaining({ quantity: 10, scrap: part, madeAt: exit.madeAt }),
    ]);
    expect(paths.every((path) => path.endsWith("/production-process/out"))).toBe(true);
  });

  it("is sent with the hand-over", async () => {
    const to = { productionProcessId: 3, productionProcessName: "Lijado" };
    await sendMovement(aMovement({ type: "hand-over", to, quantity: 10, part }), 0);
    expect(bodies).toEqual([
      expect.objectContaining({ quantity: 10, toProcessId: 3, scrap: part }),
    ]);
    expect(paths).toEqual(["/api/station/2/hand-over"]);
  });
});

describe("what is said about a line", () => {
  const call = aMovement({ type: "talk", said: { kind: "stop", comesTo: null } });
  const coming = aMovement({ type: "talk", said: { kind: "stop", comesTo: 7 } });
  const messages = "/api/sales-order/1/position/1/messages";

  it("is sent with its station, and with its time only if it is late", async () => {
    fetched.mockImplementation(async (request) => {
      bodies.push((await request.clone().json()) as Record<string, unknown>);
      return answer(201, { id: 7 });
    });
    expect(await sendMovement(call, 0)).toEqual({ kind: "done", line: null, by: call.madeAt });
    expect(new URL(fetched.mock.lastCall![0].url).pathname).toBe(messages);
    await sendMovement(coming, 60_000);
    expect(new URL(fetched.mock.lastCall![0].url).pathname).toBe(`${messages}/7/coming`);
    expect(bodies).toEqual([
      { kind: "stop", productionProcessId: 2 },
      { productionProcessId: 2, madeAt: coming.madeAt },
    ]);
  });

  it("arrived if only its answer was lost", async () => {
    expect(await sendMovement(call, 60_000)).toMatchObject({ kind: "done" });
    expect(bodies.map((body) => body["madeAt"])).toEqual([call.madeAt, undefined]);
  });
});

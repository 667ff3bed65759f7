// @vitest-environment node
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { aPress } from "./aPress";
import { idle, queueTo, REFUSED, Server } from "./testing";
import { keptMovements } from "./storage";

describe("waiting movements", () => {
  it("are kept before they are sent, and dropped once the server has them", async () => {
    const server = new Server();
    server.reachable = false;
    const queue = queueTo(server);
    const { key } = await queue.press(aPress(1));
    expect((await keptMovements()).map((movement) => movement.key)).toEqual([key]);
    await vi.waitFor(() => expect(queue.state.reached).toBe(false));
    server.reachable = true;
    await idle(queue);
    expect(await keptMovements()).toEqual([]);
    expect(queue.state.reached).toBe(true);
  });

  it("keep their weight until they are sent", async () => {
    const away = new Server();
    away.reachable = false;
    const first = queueTo(away);
    const weights = { grams: 12.34, otherGrams: 0.5 };
    await first.press(aPress(1, { weights }));
    first.stop();
    const server = new Server();
    const second = queueTo(server);
    await second.start();
    await idle(second);
    expect(server.got.map((movement) => movement.weights)).toEqual([weights]);
  });

  it("are sent without reading the store if nothing else waits", async () => {
    const server = new Server();
    const queue = queueTo(server);
    await queue.start();
    const read = vi.spyOn(IDBObjectStore.prototype, "getAll");
    const { key } = await queue.press(aPress(1));
    await idle(queue);
    expect(server.keys).toEqual([key]);
    expect(await queue.takeBack(key)).toBe("gone"); // an answered movement is not kept any more
    expect(read).toHaveBeenCalledTimes(1); // read by `takeBack`
    expect(await keptMovements()).toEqual([]);
  });

  it("are never sent with a time before the recorded time of an earlier one of their line", async () => {
    const server = new Server();
    server.reachable = false;
    const queue = queueTo(server);
    const recorded = "2026-03-14T15:00:12Z";
    const [first, second, elsewhere] = [
      await queue.press(aPress(1)),
      await queue.press(aPress(1, { type: "out", madeAt: "2026-03-14T15:00:02Z" })),
      await queue.press(aPress(2, { madeAt: "2026-03-14T15:00:03Z" })),
    ];
    server.answers.set(first.key, { kind: "done", line: null, by: recorded });
    server.reachable = true;
    await idle(queue);
    const sentAs = new Map(server.got.map(({ key, madeAt }) => [key, madeAt]));
    expect(sentAs.get(second.key)).toBe(recorded);
    expect(sentAs.get(elsewhere.key)).toBe("2026-03-14T15:00:03Z");
  });

  it("stay kept if they were sent at once and not answered", async () => {
    const server = new Server();
    const queue = queueTo(server);
    await queue.start();
    server.reachable = false;
    const { key } = await queue.press(aPress(1));
    await vi.waitFor(() => expect(queue.state.reached).toBe(false));
    expect((await keptMovements()).map((movement) => movement.key)).toEqual([key]);
    expect(queue.state.movements).toHaveLength(1);
    server.reachable = true;
    await idle(queue);
    expect(server.keys).toEqual([key]);
  });

  it("wait for the tab that is sending, and follow what it keeps", async () => {
    const server = new Server();
    const [one, two] = [queueTo(server), queueTo(server)];
    await Promise.all([one.start(), two.start()]);
    const made = await Promise.all([
      one.press(aPress(1)),
      two.press(aPress(1, { type: "out" })),
      two.press(aPress(2)),
    ]);
    await Promise.all([idle(one), idle(two)]);
    expect(server.keys.toSorted()).toEqual(made.map(({ key }) => key).toSorted());
    expect(await keptMovements()).toEqual([]);
  });

  it("keep the order of each line, in parallel with other lines", async () => {
    const server = new Server();
    server.reachable = false;
    const queue = queueTo(server);
    const sent: string[] = [];
    for (const order of [1, 2, 1, 3, 1, 2]) {
      const { key } = await queue.press(aPress(order));
      sent.push(`${order} ${key}`);
    }
    server.reachable = true;
    await idle(queue);
    const got = server.got.map(({ line, key }) => `${line.salesOrderId} ${key}`);
    for (const order of ["1", "2", "3"]) {
      const ofLine = (rows: string[]) => rows.filter((row) => row.startsWith(`${order} `));
      expect(ofLine(got)).toEqual(ofLine(sent));
    }
    expect(server.most).toBeGreaterThan(1);
    expect(server.most).toBeLessThanOrEqual(4);
  });

  it("survive the tab they were pressed in", async () => {
    const away = new Server();
    away.reachable = false;
    const first = queueTo(away);
    const one = await first.press(aPress(1));
    const two = await first.press(aPress(1, { type: "out" }));
    first.stop();
    const server = new Server();
    const second = queueTo(server);
    await second.start();
    await idle(second);
    expect(server.keys).toEqual([one.key, two.key]);
  });

  it("are sent once, by one of two tabs", async () => {
    const server = new Server();
    const [one, two] = [queueTo(server), queueTo(server)];
    await Promise.all([1, 2, 3, 4].map((order) => one.press(aPress(order))));
    await Promise.all([two.start(), one.drain(), two.drain()]);
    await Promise.all([idle(one), idle(two)]);
    expect(server.keys.toSorted()).toEqual([...new Set(server.keys)].toSorted());
    expect(server.keys).toHaveLength(4);
  });

  it("are seen in the other tab", async () => {
    const server = new Server();
    server.reachable = false;
    const [one, two] = [queueTo(server), queueTo(server)];
    await one.press(aPress(1));
    await vi.waitFor(() => expect(two.state.movements).toHaveLength(1));
    server.reachable = true;
    await idle(two);
  });
});

describe("a refused movement", () => {
  it("stays with its reason, holds later ones of its line, and lets other lines pass", async () => {
    const server = new Server();
    const queue = queueTo(server);
    const settled = vi.fn<() => void>();
    queue.onSettled(settled);
    const bad = aPress(1);
    server.answers.set(bad.key, REFUSED);
    await queue.press(bad);
    const follows = await queue.press(aPress(1, { type: "out" }));
    const other = await queue.press(aPress(2));
    await vi.waitFor(() => expect(server.keys).toContain(other.key));
    await queue.drain();
    expect(queue.state.movements.map(({ key }) => key)).toEqual([bad.key, follows.key]);
    expect((await keptMovements())[0]?.refused?.message).toBe("Ya no hay.");
    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ sent: REFUSED }));
    expect(await queue.takeBack(bad.key)).toBe("dropped");
    await idle(queue);
    expect(server.keys.at(-1)).toBe(follows.key);
  });

  it("is sent again on request, with the time of arrival if asked", async () => {
    const server = new Server();
    const queue = queueTo(server);
    const late = aPress(1);
    server.answers.set(late.key, REFUSED);
    await queue.press(late);
    await vi.waitFor(() => expect(queue.state.movements[0]?.refused).not.toBeNull());
    server.answers.delete(late.key);
    await queue.retry(late.key, { untimed: true });
    await idle(queue);
    expect(server.got.map(({ untimed }) => untimed)).toEqual([false, true]);
  });
});

describe("a movement that cannot be sent yet", () => {
  it("waits for its author while others work", async () => {
    const server = new Server();
    const queue = queueTo(server);
    const eva = aPress(1, { userId: 8, userName: "Eva" });
    server.answers.set(eva.key, { kind: "needs-person" });
    await queue.press(eva);
    const mine = await queue.press(aPress(2));
    await vi.waitFor(() => expect(server.keys).toContain(mine.key));
    await queue.drain();
    expect(queue.state.movements.map(({ key }) => key)).toEqual([eva.key]);
    expect(queue.state.awaited).toEqual(new Set([8]));
    server.answers.delete(eva.key);
    await queue.drain();
    await idle(queue);
    expect(queue.state.awaited.size).toBe(0);
  });

  it("does not stop the others if the server fails at it alone", async () => {
    const server = new Server();
    const queue = queueTo(server);
    const error = new ApiError(500, { code: "broken", message: "", params: {}, errors: [] });
    const bad = aPress(1);
    server.answers.set(bad.key, { kind: "failed", error });
    await queue.press(bad);
    const other = await queue.press(aPress(2));
    await vi.waitFor(() => expect(server.keys).toContain(other.key));
    server.answers.delete(bad.key);
    await idle(queue);
  });
});

describe("a browser without storage", () => {
  it("is reported, and the press is sent directly", async () => {
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const server = new Server();
    server.reachable = false;
    const queue = queueTo(server);
    await queue.press(aPress(1));
    expect(queue.state.stored).toBe(false);
    expect(queue.state.movements).toHaveLength(1);
    server.reachable = true;
    await idle(queue);
    expect(server.keys).toHaveLength(1);
  });
});

it("a refused call holds back no movement of its line, and no movement holds back a call", async () => {
  const server = new Server();
  const queue = queueTo(server);
  const call = aPress(1, { type: "talk", said: { kind: "stop", comesTo: null } });
  server.answers.set(call.key, REFUSED);
  await queue.press(call);
  const movement = await queue.press(aPress(1));
  await vi.waitFor(() => expect(server.keys).toContain(movement.key));
  await queue.drain();
  expect(queue.state.movements.map(({ key }) => key)).toEqual([call.key]);
  await queue.takeBack(call.key);
  const bad = aPress(1);
  server.answers.set(bad.key, REFUSED);
  await queue.press(bad);
  const second = await queue.press({ ...call, key: "another call" });
  await vi.waitFor(() => expect(server.keys).toContain(second.key));
});

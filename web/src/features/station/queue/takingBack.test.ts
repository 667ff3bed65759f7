// @vitest-environment node
import { describe, expect, it, vi } from "vitest";
import { aPress } from "./aPress";
import { idle, queueTo, REFUSED, Server } from "./testing";
import { keptMovements } from "./storage";

const unanswered = (queue: ReturnType<typeof queueTo>) =>
  vi.waitFor(() => expect(queue.state.reached).toBe(false));

describe("a movement that is taken back", () => {
  it("is dropped if it was never sent", async () => {
    const server = new Server();
    server.reachable = false;
    const queue = queueTo(server);
    const first = await queue.press(aPress(1));
    const behind = await queue.press(aPress(1, { type: "out" }));
    await unanswered(queue);
    expect(await queue.takeBack(behind.key)).toBe("dropped");
    expect(await queue.takeBack(behind.key)).toBe("gone");
    server.reachable = true;
    await idle(queue);
    expect(server.keys).toEqual([first.key]);
  });

  it("is dropped if it waits for its author, unsent", async () => {
    const server = new Server();
    const queue = queueTo(server);
    await queue.start();
    const eva = aPress(1, { userId: 8 });
    server.answers.set(eva.key, { kind: "needs-person" });
    await queue.press(eva);
    await vi.waitFor(() => expect(queue.state.awaited.size).toBe(1));
    expect(await queue.takeBack(eva.key)).toBe("dropped");
  });

  it("stays if it was sent and not answered, and is undone once the server answers", async () => {
    const server = new Server();
    server.answering = false;
    const queue = queueTo(server);
    await queue.start();
    const settled = vi.fn<() => void>();
    queue.onSettled(settled);
    const { key } = await queue.press(aPress(1));
    await unanswered(queue);
    expect(await queue.takeBack(key)).toBe("undoing");
    expect(await queue.takeBack(key)).toBe("undoing");
    expect((await keptMovements()).map(({ undo }) => undo)).toEqual([{ recordId: null }]);
    const before = server.got.length;
    server.answering = true;
    await idle(queue);
    const sent = server.got.slice(before).filter(({ undo }) => undo !== null);
    expect(sent.map(({ undo }) => undo)).toEqual([{ recordId: null }]);
    expect(new Set(server.keys)).toEqual(new Set([key]));
    expect(sent.every(({ untimed }) => untimed)).toBe(true);
    expect(settled).toHaveBeenCalledTimes(1);
    expect(await keptMovements()).toEqual([]);
  });

  it("is in doubt for a later tab too", async () => {
    const away = new Server();
    away.answering = false;
    const first = queueTo(away);
    await first.start();
    const { key } = await first.press(aPress(1));
    await unanswered(first);
    first.stop();
    const server = new Server();
    server.reachable = false;
    const second = queueTo(server);
    await second.start();
    expect(await second.takeBack(key)).toBe("undoing");
    server.reachable = true;
    await idle(second);
    expect(server.got.map(({ undo }) => undo)).toEqual([{ recordId: null }]);
  });

  it("stays before later movements of its line", async () => {
    const server = new Server();
    server.reachable = false;
    const queue = queueTo(server);
    const { key } = await queue.press(aPress(1));
    const follows = await queue.press(aPress(1));
    await unanswered(queue);
    await queue.takeBack(key);
    server.reachable = true;
    await idle(queue);
    expect(server.keys).toEqual([key, follows.key]);
  });

  it("says why it could not be undone, and holds nothing of its line", async () => {
    const server = new Server();
    const queue = queueTo(server);
    const late = aPress(1, { undo: { recordId: 5 } });
    server.answers.set(late.key, REFUSED);
    await queue.press(late);
    const follows = await queue.press(aPress(1));
    await vi.waitFor(() => expect(server.keys).toContain(follows.key));
    await queue.drain();
    expect(queue.state.movements.map(({ refused }) => refused?.message)).toEqual(["Ya no hay."]);
    expect(await queue.takeBack(late.key)).toBe("dropped");
  });
});

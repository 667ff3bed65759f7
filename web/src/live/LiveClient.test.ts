// @vitest-environment node
/** The live client against a real socket server in this process. */
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocketServer, type WebSocket as Peer } from "ws";
import type { Position } from "@/shared/http/copy";
import { LiveClient, type LiveOptions, type LiveState } from "./LiveClient";

interface Visit {
  query: URLSearchParams;
  peer: Peer;
  send: (frame: object) => void;
}

let server: WebSocketServer;
let visits: Visit[];
let client: LiveClient | undefined;

beforeEach(() => {
  visits = [];
  server = new WebSocketServer({ port: 0 });
  server.on("connection", (peer, request) => {
    const query = new URL(request.url ?? "", "http://host").searchParams;
    visits.push({ query, peer, send: (frame) => peer.send(JSON.stringify(frame)) });
  });
});

afterEach(async () => {
  client?.stop();
  for (const { peer } of visits) peer.terminate();
  await new Promise((resolve) => server.close(resolve));
});

function connect(options: Partial<LiveOptions> = {}) {
  const { port } = server.address() as AddressInfo;
  const seen: number[] = [];
  const batches: number[][] = [];
  const states: LiveState[] = [];
  let stored: Position | null = null;
  let tickets = 0;
  const crowds: number[] = [];
  const old: number[] = [];
  const onReset = vi.fn<() => void>();
  const onSessionOver = vi.fn<() => void>();
  client = new LiveClient({
    ticket: async () => ({ ticket: `t${(tickets += 1)}`, begins: { epoch: "e1", id: 0 } }),
    open: (query) => new WebSocket(`ws://127.0.0.1:${port}/ws/events?${query}`),
    memory: { read: () => stored, write: (position) => (stored = position) },
    nextFrame: (work) => void setTimeout(work, 5),
    onEvents: (events, past) => {
      if (past) old.push(...events.map(({ id }) => id));
      batches.push(events.map(({ id }) => id));
      seen.push(...events.map(({ id }) => id));
    },
    onReset,
    onState: (state) => states.push(state),
    isThere: async () => true,
    onScreens: (screens) => crowds.push(screens),
    onSessionOver,
    random: () => 0,
    backOff: { first: 10, most: 40 },
    ...options,
  });
  client.start();
  return {
    seen,
    old,
    batches,
    states,
    crowds,
    onReset,
    onSessionOver,
    position: () => stored,
  };
}

async function visit(number: number): Promise<Visit> {
  return vi.waitFor(() => {
    const found = visits[number - 1];
    if (found === undefined) throw new Error(`No visit ${number} yet.`);
    return found;
  });
}

const hello = (id: number, epoch = "e1") => ({ type: "hello", id, epoch, screens: 7 });
const moved = (id: number) => ({ id, type: "line.moved", at: "", by: null, data: {} });

describe("the live client", () => {
  it("connects with a ticket where the page begins, and reloads nothing", async () => {
    const { seen, states, crowds, onReset } = connect();
    const { query, send } = await visit(1);
    expect(Object.fromEntries(query)).toEqual({ ticket: "t1", since: "0", epoch: "e1" });
    for (const frame of [hello(40), moved(41)]) send(frame);
    await vi.waitFor(() => expect(seen).toEqual([41]));
    expect(states.at(-1)).toBe("live");
    expect(onReset).not.toHaveBeenCalled();
    expect(crowds).toEqual([7]);
  });

  it("tells what happened before its first socket from what happens now", async () => {
    const { seen, old } = connect();
    const { peer, send } = await visit(1);
    for (const frame of [hello(42), moved(41), moved(42), moved(43)]) send(frame);
    await vi.waitFor(() => expect(seen).toEqual([41, 42, 43]));
    expect(old).toEqual([41, 42]);
    peer.close(1012);
    for (const frame of [hello(44), moved(44)]) (await visit(2)).send(frame);
    await vi.waitFor(() => expect(seen).toEqual([41, 42, 43, 44]));
    expect(old).toEqual([41, 42]);
  });

  it("reconnects if a socket is silent and the server does not answer", async () => {
    const isThere = vi.fn<() => Promise<boolean>>();
    isThere.mockResolvedValueOnce(true).mockResolvedValueOnce(false).mockResolvedValue(true);
    const { states } = connect({ isThere, quiet: 20 });
    const { send } = await visit(1);
    send(hello(40));
    await vi.waitFor(() => expect(states).toContain("live"));
    (await visit(2)).send(hello(40));
    await vi.waitFor(() =>
      expect(states).toEqual(["reconnecting", "live", "reconnecting", "live"]),
    );
    expect(isThere.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it("does not check the server while events arrive", async () => {
    const isThere = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
    const { seen } = connect({ isThere, quiet: 5_000 });
    const { send } = await visit(1);
    send(hello(40));
    for (let id = 41; id < 60; id += 1) send(moved(id));
    await vi.waitFor(() => expect(seen).toHaveLength(19));
    expect(isThere).not.toHaveBeenCalled();
  });

  it("hands over a burst as one batch, in order, without duplicates", async () => {
    const { batches } = connect();
    const { send } = await visit(1);
    for (const frame of [hello(40), moved(41), moved(42), moved(42), moved(41), moved(43)]) {
      send(frame);
    }
    await vi.waitFor(() => expect(batches).toEqual([[41, 42, 43]]));
  });

  it("begins at the position that it remembers", async () => {
    const memory = { read: () => ({ epoch: "e0", id: 7 }), write: () => undefined };
    connect({ memory });
    const { query } = await visit(1);
    expect(Object.fromEntries(query)).toEqual({ ticket: "t1", since: "7", epoch: "e0" });
  });

  it("resumes after a cut, and hands over replayed and live events once each", async () => {
    const { seen, onReset } = connect();
    const first = await visit(1);
    first.send(hello(40));
    first.send(moved(41));
    await vi.waitFor(() => expect(seen).toEqual([41]));
    first.peer.terminate();
    const second = await visit(2);
    expect(second.query.get("ticket")).toBe("t2");
    expect(second.query.get("since")).toBe("41");
    expect(second.query.get("epoch")).toBe("e1");
    for (const frame of [hello(43), moved(41), moved(42), moved(43), moved(44)]) second.send(frame);
    await vi.waitFor(() => expect(seen).toEqual([41, 42, 43, 44]));
    expect(onReset).not.toHaveBeenCalled();
  });

  it("hands over the server's sequence exactly once across twenty cuts", async () => {
    const { seen } = connect();
    let last = 0;
    for (let cut = 1; cut <= 20; cut += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the cuts come one after another
      const { query, peer, send } = await visit(cut);
      const since = Number(query.get("since") ?? 0);
      send(hello(last));
      for (let id = since + 1; id <= last + 3; id += 1) send(moved(id));
      last += 3;
      // Every second cut comes before the events just sent have arrived.
      const arrived = last - 3 * (cut % 2);
      // oxlint-disable-next-line no-await-in-loop
      await vi.waitFor(() => expect(seen.at(-1) ?? 0).toBeGreaterThanOrEqual(arrived));
      peer.terminate();
    }
    const { query, send } = await visit(21);
    send(hello(last));
    for (let id = Number(query.get("since") ?? 0) + 1; id <= last; id += 1) send(moved(id));
    await vi.waitFor(() => expect(seen).toEqual(Array.from({ length: 60 }, (_, at) => at + 1)));
  });

  it("reloads everything after a reset and continues with the new numbering", async () => {
    const { seen, onReset, position } = connect();
    const first = await visit(1);
    first.send(hello(40));
    first.send(moved(41));
    await vi.waitFor(() => expect(seen).toEqual([41]));
    first.peer.terminate();
    const second = await visit(2);
    for (const frame of [hello(3, "e2"), { type: "reset" }, moved(4)]) second.send(frame);
    await vi.waitFor(() => expect(seen).toEqual([41, 4]));
    expect(onReset).toHaveBeenCalledTimes(1);
    expect(position()).toEqual({ epoch: "e2", id: 4 });
  });

  it("continues from the hello's id after a reset within the same epoch", async () => {
    const { seen, onReset } = connect();
    const first = await visit(1);
    first.send(hello(40));
    first.send(moved(41));
    await vi.waitFor(() => expect(seen).toEqual([41]));
    first.peer.terminate();
    const second = await visit(2);
    for (const frame of [hello(3), { type: "reset" }, moved(4)]) second.send(frame);
    await vi.waitFor(() => expect(seen).toEqual([41, 4]));
    expect(onReset).toHaveBeenCalledTimes(1);
  });

  it("polls after repeated failures, and stops polling after the next hello", async () => {
    const { states, onReset } = connect({ pollEvery: 20 });
    for (let number = 1; number <= 4; number += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the attempts come one after another
      (await visit(number)).peer.close(1012);
    }
    await vi.waitFor(() => expect(states.at(-1)).toBe("polling"));
    await vi.waitFor(() => expect(onReset.mock.calls.length).toBeGreaterThan(1));
    (await visit(5)).send(hello(1));
    await vi.waitFor(() => expect(states.at(-1)).toBe("live"));
    const polls = onReset.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(onReset.mock.calls.length).toBe(polls);
  });

  it("tries again if the ticket request fails", async () => {
    const answers = [new Error("down"), { ticket: "t9" }];
    connect({
      ticket: async () => {
        const answer = answers.shift();
        if (answer instanceof Error || answer === undefined) throw answer;
        return answer;
      },
    });
    expect((await visit(1)).query.get("ticket")).toBe("t9");
  });

  it("ends the session on 4401 after the hello, and takes a new ticket on 4401 before it", async () => {
    const { onSessionOver } = connect();
    (await visit(1)).peer.close(4401);
    const second = await visit(2);
    expect(onSessionOver).not.toHaveBeenCalled();
    second.send(hello(1));
    second.peer.close(4401);
    await vi.waitFor(() => expect(onSessionOver).toHaveBeenCalledTimes(1));
  });

  it("reconnects only with the next poll after 4403", async () => {
    const { states, onReset } = connect({ pollEvery: 120 });
    (await visit(1)).peer.close(4403);
    await vi.waitFor(() => expect(states.at(-1)).toBe("polling"));
    const second = await visit(2);
    expect(onReset).toHaveBeenCalledTimes(1);
    second.send(hello(1));
    await vi.waitFor(() => expect(states.at(-1)).toBe("live"));
  });

  it("drops its socket when the network is lost, and resumes", async () => {
    const { states, seen } = connect();
    const first = await visit(1);
    first.send(hello(7));
    await vi.waitFor(() => expect(states.at(-1)).toBe("live"));
    client!.interrupt();
    expect(states.at(-1)).toBe("reconnecting");
    first.send(moved(8));
    const second = await visit(2);
    expect(second.query.get("since")).toBe("0");
    for (const frame of [hello(8), moved(8)]) second.send(frame);
    await vi.waitFor(() => expect(seen).toEqual([8]));
  });

  it("delays its reconnection up to 10 s among a thousand screens, unless it is woken", async () => {
    connect({ random: () => 1 });
    const { send, peer } = await visit(1);
    const planned = vi.spyOn(globalThis, "setTimeout");
    send({ ...hello(40), screens: 1_000 });
    peer.close(1012);
    await vi.waitFor(() => expect(planned.mock.calls.map(([, delay]) => delay)).toContain(10_000));
    client!.wake();
    await visit(2);
  });
});

describe("the line that the user views", () => {
  const line = { salesOrderId: 4, position: 1 };
  const heardBy = ({ peer }: Visit) => {
    const said: unknown[] = [];
    peer.on("message", (message) => said.push(JSON.parse(String(message))));
    return said;
  };

  it("is sent after the hello and on every new socket, and only the last of quick changes is sent", async () => {
    connect();
    client?.view(line);
    const first = await visit(1);
    const said = heardBy(first);
    first.send(hello(1));
    await vi.waitFor(() => expect(said).toEqual([{ viewing: line }]));
    client?.view(null);
    client?.view({ ...line, position: 2 });
    const last = { ...line, position: 3 };
    client?.view(last);
    await vi.waitFor(() => expect(said).toEqual([{ viewing: line }, { viewing: last }]), 3_000);
    first.peer.close(1012);
    const second = await visit(2);
    const again = heardBy(second);
    second.send(hello(1));
    await vi.waitFor(() => expect(again).toEqual([{ viewing: last }]), 3_000);
  });

  it("reports a presence frame without counting it as an event", async () => {
    const met: unknown[] = [];
    const { seen, position } = connect({ onPresence: (presence) => met.push(presence) });
    const { send } = await visit(1);
    const presence = { type: "presence", ...line, people: [{ id: 3, fullName: "Eva" }] };
    send(hello(1));
    send(presence);
    await vi.waitFor(() => expect(met).toEqual([presence]));
    expect(seen).toEqual([]);
    expect(position()).toEqual({ epoch: "e1", id: 0 });
  });
});

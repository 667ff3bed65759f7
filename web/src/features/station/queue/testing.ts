/** Helpers for tests of the movement queue: a server, and stores that are empty for each test. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { MovementQueue } from "./MovementQueue";
import type { Sent } from "./sending";
import { dropMovement, keptMovements, type Movement } from "./storage";

const queues: MovementQueue[] = [];
/** Unique, because tests that run in parallel share the locks of the process. */
const TABS = crypto.randomUUID();

export const DONE: Sent = { kind: "done", line: null, by: "2026-03-14T15:00:00Z" };
export const REFUSED: Sent = {
  kind: "refused",
  why: { code: "not_enough_pieces", message: "Ya no hay." },
};

/** A server that gives the answers set here, and records what it received. */
export class Server {
  readonly got: Movement[] = [];
  answers = new Map<string, Sent>();
  reachable = true;
  /** False: requests arrive, but their answers are lost. */
  answering = true;
  running = 0;
  most = 0;

  send = async (movement: Movement): Promise<Sent> => {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
    this.running -= 1;
    if (!this.reachable) return { kind: "unreachable" };
    this.got.push(movement);
    return this.answering ? this.answerTo(movement) : { kind: "unreachable" };
  };

  answerTo = (movement: Movement): Sent => this.answers.get(movement.key) ?? DONE;

  get keys(): string[] {
    return this.got.map(({ key }) => key);
  }
}

export function queueTo(server: Server): MovementQueue {
  const queue = new MovementQueue({ send: server.send, name: TABS, retryAfter: 5 });
  queues.push(queue);
  return queue;
}

/** Wait until no movement waits, and until the listeners have heard of the last answer. */
export async function idle(queue: MovementQueue): Promise<void> {
  await vi.waitFor(() => expect(queue.state.movements).toHaveLength(0));
  await turnEnded();
}

/** A queue holds the lock of its tabs while it sends. */
const turnEnded = () => navigator.locks.request(TABS, () => Promise.resolve());

beforeEach(async () => {
  for (const { key } of await keptMovements()) await dropMovement(key);
});

afterEach(async () => {
  for (const queue of queues.splice(0)) queue.stop();
  vi.restoreAllMocks();
  // Wait until the work that the test began has ended.
  await turnEnded();
});

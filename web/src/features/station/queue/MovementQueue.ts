/**
 * Queue of movements to the server. Movements of one line are sent in order; none is lost or made
 * twice; no line waits for another.
 */
import type { Sent, Settled } from "./sending";
import { dropMovement, keepMovement, keptMovements, type Movement } from "./storage";
import { Tabs } from "./tabs";

export interface QueueState {
  /** In the order in which they were pressed. */
  movements: readonly Movement[];
  /** False if the browser stores nothing. Waiting movements are then lost when the tab closes. */
  stored: boolean;
  /** False after an attempt without an answer, until the server answers again. */
  reached: boolean;
  /** The ids of the users who must identify themselves again before their movements can be sent. */
  awaited: ReadonlySet<number>;
}

interface Options {
  send: (movement: Movement) => Promise<Sent>;
  /** The name of the lock and the channel that the tabs share. */
  name?: string;
  now?: () => number;
  /** Delay before a retry, in ms. */
  retryAfter?: number;
}

const AT_ONCE = 4;

/**
 * Return the lane of a press. Presses of one lane are sent in order, and a refused one holds back
 * those after it. What is said about a line must not hold back its movements.
 */
export const laneOf = ({ line, type }: Movement) =>
  `${line.salesOrderId}-${line.position}${type === "talk" ? " talk" : ""}`;

export class MovementQueue {
  state: QueueState = { movements: [], stored: true, reached: true, awaited: new Set() };
  readonly #send: Options["send"];
  readonly #now: () => number;
  readonly #retryAfter: number;
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(settled: Settled) => void>();
  readonly #tabs: Tabs;
  /** Keys of the movements that the browser could not store. */
  readonly #unkept = new Set<string>();
  /** Keys of the movements settled in this tab. A read that began earlier may still return them. */
  readonly #dropped = new Set<string>();
  /**
   * Whether all kept movements were read. False at first, and while a change of another tab is
   * read.
   */
  #read = false;
  #reading: Promise<void> = Promise.resolve();
  #drain: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lastTurn = 0;

  constructor({ send, name = "obrador-movements", now = Date.now, retryAfter = 2_000 }: Options) {
    this.#send = send;
    this.#now = now;
    this.#retryAfter = retryAfter;
    this.#tabs = new Tabs(name, () => {
      this.#read = false;
      void this.#reload();
    });
  }

  subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /**
   * Call `listener` with the server's answer to each movement. Returns a function that removes it.
   */
  onSettled(listener: (settled: Settled) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Read what an earlier tab left, and send it. */
  async start(): Promise<void> {
    await this.#reload();
    await this.drain();
  }

  /** Send nothing more. Running requests continue. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#tabs.close();
  }

  /**
   * Add a movement. Resolves once it is kept, or known not to be; sending continues in the
   * background.
   */
  async press(
    pressed: Omit<Movement, "turn" | "untimed" | "inDoubt" | "refused">,
  ): Promise<Movement> {
    const turn = Math.max(this.#now(), this.#lastTurn + 1);
    this.#lastTurn = turn;
    // If nothing else waits, send it without waiting until it is kept. If a later tab sends it
    // again, it happens once.
    const isAlone = this.#read && this.#drain === null && this.state.movements.length === 0;
    const movement = { ...pressed, turn, untimed: false, inDoubt: isAlone, refused: null };
    const kept = this.#keep(movement).then(() =>
      this.#change({ movements: [...this.state.movements, movement] }),
    );
    if (isAlone) this.#run(() => this.#sendAtOnce(movement, kept));
    await kept;
    if (!isAlone) void this.drain();
    return movement;
  }

  /**
   * Take a movement back. If it was never sent, or was refused, it is dropped. If it is in doubt,
   * it may have happened: send it again, then undo it by its key. It is
   * sent without its own time, because a movement at that time could be too old to be undone.
   */
  async takeBack(key: string): Promise<"dropped" | "undoing" | "gone"> {
    return this.#tabs.alone(async () => {
      await this.#reload();
      const movement = this.state.movements.find((each) => each.key === key);
      if (movement === undefined) return "gone";
      const isDropped = !movement.inDoubt && (movement.undo === null || movement.refused !== null);
      if (isDropped) await this.#drop(key);
      else if (movement.undo === null) {
        await this.#replace({ ...movement, untimed: true, undo: { recordId: null } });
      }
      void this.drain();
      return isDropped ? "dropped" : "undoing";
    });
  }

  /** Send a refused movement again. `untimed`: with the time of its arrival. */
  async retry(key: string, { untimed = false } = {}): Promise<void> {
    const movement = this.state.movements.find((each) => each.key === key);
    if (movement === undefined) return;
    await this.#replace({ ...movement, refused: null, untimed: movement.untimed || untimed });
    await this.drain();
  }

  /** Send what can be sent. All calls during a run together cause one more run. */
  drain(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#drain !== null) {
      this.#again = true;
      return this.#drain;
    }
    return this.#run(() => this.#tabs.alone(() => this.#sendAll()));
  }

  #run(work: () => Promise<void>): Promise<void> {
    clearTimeout(this.#retry);
    this.#drain = work().finally(() => {
      this.#drain = null;
      if (!this.#again) return;
      this.#again = false;
      void this.drain();
    });
    return this.#drain;
  }

  /**
   * Send the only waiting movement without reading the store. If another tab is sending, wait for
   * it.
   */
  async #sendAtOnce(movement: Movement, kept: Promise<void>): Promise<void> {
    const isFree = await this.#tabs.ifFree(() => this.#sendAll({ movement, kept }));
    if (isFree) return undefined;
    await kept;
    return this.#tabs.alone(() => this.#sendAll());
  }

  /**
   * Send all movements that can be sent. `first`: sent before all others, and before it is stored.
   */
  async #sendAll(first?: { movement: Movement; kept: Promise<void> }): Promise<void> {
    // Another tab may have sent some of them in the meantime.
    if (first === undefined) await this.#reload();
    const running = new Map<string, Promise<void>>();
    const passed = new Set<string>();
    const awaited = new Set<number>();
    let unreachable = false;
    const attempt = async (waiting: Movement) => {
      const line = laneOf(waiting);
      const isFirst = waiting === first?.movement;
      const wasInDoubt = waiting.inDoubt && !isFirst;
      const movement = { ...waiting, inDoubt: true };
      // Store the movement as in doubt before sending it: if the tab ends now, it must not count as
      // never sent.
      if (!waiting.inDoubt) await this.#replace(movement);
      const sent = await this.#send(movement);
      if (isFirst) await first.kept;
      if (sent.kind !== "unreachable") this.#change({ reached: true });
      if (sent.kind === "done") {
        await this.#drop(movement.key);
        await this.#noEarlier(line, sent.by);
      }
      if (sent.kind === "refused") {
        await this.#replace({ ...movement, inDoubt: false, refused: sent.why });
      }
      if (sent.kind === "needs-person") {
        awaited.add(movement.userId);
        if (!wasInDoubt) await this.#replace({ ...movement, inDoubt: false });
      }
      if (sent.kind === "unreachable") unreachable = true;
      if (sent.kind === "failed") passed.add(line);
      if (sent.kind === "done" || sent.kind === "refused") {
        for (const listener of this.#listeners) listener({ movement, sent });
      }
      running.delete(line);
    };
    if (first !== undefined) running.set(laneOf(first.movement), attempt(first.movement));
    for (;;) {
      const free = unreachable ? [] : this.#sendable(running, passed, awaited);
      for (const movement of free.slice(0, AT_ONCE - running.size)) {
        running.set(laneOf(movement), attempt(movement));
      }
      if (running.size === 0) break;
      await Promise.race(running.values());
    }
    this.#change({ awaited, reached: !unreachable });
    if (unreachable || passed.size > 0) {
      this.#retry = setTimeout(() => void this.drain(), this.#retryAfter);
    }
  }

  /**
   * Return the first movement of each line. Leaves out lines with a running or failed request, and
   * those with a first movement that was refused or waits for its author.
   */
  #sendable(
    running: ReadonlyMap<string, unknown>,
    passed: ReadonlySet<string>,
    awaited: ReadonlySet<number>,
  ): Movement[] {
    const seen = new Set<string>();
    return this.state.movements.filter((movement) => {
      // A refused undo does not hold later movements of the line.
      if (movement.undo !== null && movement.refused !== null) return false;
      const line = laneOf(movement);
      if (seen.has(line)) return false;
      seen.add(line);
      const waits = movement.refused !== null || awaited.has(movement.userId);
      return !waits && !running.has(line) && !passed.has(line);
    });
  }

  async #keep(movement: Movement): Promise<void> {
    try {
      await keepMovement(movement);
      this.#unkept.delete(movement.key);
      this.#change({ stored: true });
      this.#tabs.notify();
    } catch {
      this.#unkept.add(movement.key); // the screen says so; the movement lasts as long as the tab
      this.#change({ stored: false });
    }
  }

  async #replace(movement: Movement): Promise<void> {
    await this.#keep(movement);
    const { movements } = this.state;
    this.#change({
      movements: movements.map((each) => (each.key === movement.key ? movement : each)),
    });
  }

  /**
   * Change the time of later movements of a line to `by` if theirs is earlier. A slow server
   * recorded the first movement later than it was pressed, and the others were made after it.
   */
  async #noEarlier(line: string, by: string): Promise<void> {
    const early = this.state.movements.filter(
      (each) => laneOf(each) === line && Date.parse(each.madeAt) < Date.parse(by),
    );
    await Promise.all(early.map((movement) => this.#replace({ ...movement, madeAt: by })));
  }

  async #drop(key: string): Promise<void> {
    this.#dropped.add(key);
    this.#change({ movements: this.state.movements.filter((each) => each.key !== key) });
    if (this.#unkept.delete(key)) return;
    try {
      await dropMovement(key);
      this.#tabs.notify();
    } catch {
      this.#change({ stored: false }); // if a later tab sends it again, the server answers the same
    }
  }

  /**
   * Read the stored movements. Reads run one after the other. Else a read could take a movement
   * that another read has dropped for one just pressed.
   */
  #reload(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#takeKept());
    return this.#reading;
  }

  async #takeKept(): Promise<void> {
    const before = new Set(this.state.movements.map(({ key }) => key));
    try {
      const kept = (await keptMovements()).filter(({ key }) => !this.#dropped.has(key));
      const known = new Set(kept.map(({ key }) => key));
      // Movements that were pressed during the read, or could not be stored.
      const own = this.state.movements.filter(
        ({ key }) => !known.has(key) && (this.#unkept.has(key) || !before.has(key)),
      );
      const movements = [...kept, ...own].toSorted((one, other) => one.turn - other.turn);
      this.#lastTurn = Math.max(this.#lastTurn, movements.at(-1)?.turn ?? 0);
      this.#read = true;
      this.#change({ movements });
    } catch {
      // this tab still has its own movements, and the screen says that none is kept
      this.#change({ stored: false });
    }
  }

  #change(change: Partial<QueueState>): void {
    this.state = { ...this.state, ...change };
    for (const watcher of this.#watchers) watcher();
  }
}

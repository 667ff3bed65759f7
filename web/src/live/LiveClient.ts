/** One socket that comes back by itself and hands over every event once. See infra/docs/rules.md#live-events. */
import type { Hello, LiveEvent, LiveFrame, Presence } from "@/contract";

export type LiveState = "live" | "reconnecting" | "polling";

/** How far this session has seen; `epoch` changes when the server's numbering begins anew. */
export interface Position {
  epoch: string;
  id: number;
}

/** The line that the person looks at. */
export type Viewing = Pick<Presence, "salesOrderId" | "position">;

export interface LiveOptions {
  /** A fresh single-use ticket. */
  ticket: () => Promise<string>;
  open: (query: string) => WebSocket;
  /** A frame as the person reads it; as it came without. */
  inWords?: (json: string) => string;
  memory: { read: () => Position | null; write: (position: Position) => void };
  /** Runs once a render frame, however many events came. */
  nextFrame: (work: () => void) => void;
  onEvents: (events: LiveEvent[]) => void;
  /** What was loaded may be out of date as a whole: load it afresh. */
  onReset: () => void;
  onState: (state: LiveState) => void;
  /** How many screens receive what this one receives. */
  onScreens: (screens: number) => void;
  /** Who looks at the line that this client says it views. */
  onPresence?: (presence: Presence) => void;
  onSessionOver: () => void;
  /** Whether the server is there, asked where a socket has brought nothing for long. */
  isThere: () => Promise<boolean>;
  random?: () => number;
  backOff?: { first: number; most: number };
  pollEvery?: number;
  quiet?: number;
}

const SESSION_OVER = 4401;
const NOT_ALLOWED = 4403;
const TRIES_BEFORE_POLLING = 3;
const TEN_MINUTES = 600_000;
/** A socket does not say when its other end is gone, and a browser hides the server's pings. */
const QUIET = 20_000;
/** Time between the returns of screens that lost the server together; what one of them costs it. */
const EACH_SCREEN = 10;
/** The server closes a socket that sends more than 60 messages a minute. */
const BETWEEN_MESSAGES = 1_200;

export class LiveClient {
  readonly #options: LiveOptions;
  #position: Position | null;
  /** What the last hello named as newest. */
  #newest: Position | null = null;
  #socket: WebSocket | null = null;
  #greeted = false;
  #failures = 0;
  /** How many screens receive what this one receives, by the last hello. */
  #screens = 1;
  #running = false;
  #pending: LiveEvent[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #doubt: ReturnType<typeof setTimeout> | undefined;
  #viewing: Viewing | null = null;
  /** What the server was sent last of it; nothing yet on a new socket. */
  #said: Viewing | null = null;
  #saidAt = 0;
  #saying: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#position = options.memory.read();
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#options.onState("reconnecting");
    void this.#connect();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#doubt);
    clearTimeout(this.#saying);
    this.#saying = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#socket?.close(1000);
    this.#socket = null;
  }

  /** Says which line the person looks at, now and on each socket to come; in a hurry, only where he ended up. */
  view(viewing: Viewing | null): void {
    this.#viewing = viewing;
    this.#sayViewing();
  }

  #sayViewing(): void {
    if (!this.#greeted || this.#saying !== undefined || this.#viewing === this.#said) return;
    const wait = this.#saidAt + BETWEEN_MESSAGES - Date.now();
    if (wait > 0) {
      this.#saying = setTimeout(() => {
        this.#saying = undefined;
        this.#sayViewing();
      }, wait);
      return;
    }
    this.#said = this.#viewing;
    this.#saidAt = Date.now();
    this.#socket?.send(JSON.stringify({ viewing: this.#viewing }));
  }

  /** The network is back or the page is looked at again: do not wait for the next try. */
  wake(): void {
    if (!this.#running || this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    void this.#connect();
  }

  /** The network went away: an open socket would not notice for minutes. */
  interrupt(): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    this.#greeted = false;
    socket.close(1000);
    this.#retryLater();
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    let ticket: string;
    try {
      ticket = await this.#options.ticket();
    } catch {
      this.#retryLater(); // Whatever the reason: the HTTP client has reported it, here it is only tried again.
      return;
    }
    if (!this.#running) return;
    const query = new URLSearchParams({ ticket });
    if (this.#position !== null) {
      query.set("since", String(this.#position.id));
      query.set("epoch", this.#position.epoch);
    }
    const socket = this.#options.open(query.toString());
    this.#socket = socket;
    this.#greeted = false;
    socket.addEventListener("message", (message) => {
      if (socket !== this.#socket) return;
      const text = String(message.data);
      this.#receive(JSON.parse(this.#options.inWords?.(text) ?? text) as LiveFrame);
      this.#doubtLater(socket);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    });
  }

  /** After a while without a word, asks whether the server is there at all. */
  #doubtLater(socket: WebSocket): void {
    clearTimeout(this.#doubt);
    const quiet = this.#options.quiet ?? QUIET;
    // A thousand screens that fell silent at once must not ask at once.
    const wait = quiet * (1 + (this.#options.random ?? Math.random)() / 2);
    this.#doubt = setTimeout(() => void this.#ask(socket), wait);
  }

  async #ask(socket: WebSocket): Promise<void> {
    if (socket !== this.#socket) return;
    const isThere = await this.#options.isThere();
    if (socket !== this.#socket) return;
    if (isThere) this.#doubtLater(socket);
    else this.interrupt();
  }

  #closed(code: number): void {
    const greeted = this.#greeted;
    this.#socket = null;
    this.#greeted = false;
    // Before the greeting, 4401 means that the ticket was too old: the next one decides.
    if (code === SESSION_OVER && greeted) {
      this.stop();
      this.#options.onSessionOver();
    } else if (code === NOT_ALLOWED) {
      // Without a socket no event says that rights were given: the poll asks.
      this.#startPolling(() => void this.#connect());
    } else {
      this.#retryLater();
    }
  }

  #retryLater(): void {
    if (!this.#running) return;
    const { first, most } = this.#options.backOff ?? { first: 500, most: 30_000 };
    const ceiling = Math.min(most, first * 2 ** this.#failures);
    this.#failures += 1;
    if (this.#failures > TRIES_BEFORE_POLLING) this.#startPolling();
    else this.#options.onState("reconnecting");
    // A thousand screens must not come back in the same instant: others work meanwhile.
    const place = (this.#options.random ?? Math.random)();
    const delay = ceiling * (0.5 + place / 2) + place * EACH_SCREEN * (this.#screens - 1);
    this.#retry = setTimeout(() => void this.#connect(), delay);
  }

  #startPolling(also: () => void = () => undefined): void {
    this.#options.onState("polling");
    this.#poll ??= setInterval(() => {
      this.#options.onReset();
      also();
    }, this.#options.pollEvery ?? TEN_MINUTES);
  }

  #receive(frame: LiveFrame): void {
    if (frame.type === "hello") {
      this.#greet(frame);
    } else if (frame.type === "reset") {
      this.#pending = [];
      // What follows is counted from the hello, even where the numbering went back within one epoch.
      if (this.#newest !== null) this.#remember(this.#newest);
      this.#options.onReset();
    } else if (frame.type === "presence") {
      this.#options.onPresence?.(frame);
    } else if (this.#position === null || frame.id > this.#position.id) {
      this.#position = { epoch: this.#position?.epoch ?? "", id: frame.id };
      this.#pending.push(frame);
      if (this.#pending.length === 1) this.#options.nextFrame(() => this.#flush());
    }
  }

  #greet({ id, epoch, screens }: Hello): void {
    this.#greeted = true;
    this.#said = null;
    this.#failures = 0;
    clearInterval(this.#poll);
    this.#poll = undefined;
    const first = this.#position === null;
    this.#newest = { epoch, id };
    if (this.#position?.epoch !== epoch) this.#remember({ epoch, id });
    this.#screens = screens;
    this.#options.onScreens(screens);
    this.#options.onState("live");
    // What was loaded before the very first greeting may miss what happened in between.
    if (first) this.#options.onReset();
    this.#sayViewing();
  }

  #flush(): void {
    const events = this.#pending;
    this.#pending = [];
    if (events.length > 0) this.#options.onEvents(events);
    if (this.#position !== null) this.#options.memory.write(this.#position);
  }

  #remember(position: Position): void {
    this.#position = position;
    this.#options.memory.write(position);
  }
}

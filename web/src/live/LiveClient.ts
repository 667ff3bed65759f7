/**
 * Keep one socket open, reconnect after cuts, and hand over every event once. See
 * infra/docs/rules.md#live-events.
 */
import type { Hello, LiveEvent, LiveFrame, Presence } from "@/contract";
import type { Position } from "@/shared/http/copy";

export type LiveState = "live" | "reconnecting" | "polling";

export type Viewing = Pick<Presence, "salesOrderId" | "position">;

/** A ticket for a socket. `begins`: where a client without a position begins. */
export interface Ticket {
  ticket: string;
  begins?: Position;
}

export interface LiveOptions {
  ticket: () => Promise<Ticket>;
  open: (query: string) => WebSocket;
  /** Translates the text of a frame for the user. */
  inWords?: (json: string) => string;
  memory: { read: () => Position | null; write: (position: Position) => void };
  /** Runs `work` in the next render frame, once for all events that arrive before it. */
  nextFrame: (work: () => void) => void;
  /** `past`: events from before the client's first socket, whose changes may be on screen already. */
  onEvents: (events: LiveEvent[], past: boolean) => void;
  /** Events may be missing: reload everything. */
  onReset: () => void;
  onState: (state: LiveState) => void;
  /** Gets the number of screens that receive the same events as this one. */
  onScreens: (screens: number) => void;
  /** Gets the users who view the line that this client views. */
  onPresence?: (presence: Presence) => void;
  onSessionOver: () => void;
  /** Whether the server answers; called after the socket has been silent for `quiet`. */
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
/**
 * Milliseconds of silence before a check. A socket does not report that the server has vanished,
 * and the browser hides pings.
 */
const QUIET = 20_000;
/**
 * Milliseconds that one reconnection costs the server. Screens that lost the server together return
 * this far apart.
 */
const EACH_SCREEN = 10;
/** Milliseconds between messages: the server closes a socket that sends more than 60 a minute. */
const BETWEEN_MESSAGES = 1_200;

export class LiveClient {
  readonly #options: LiveOptions;
  #position: Position | null;
  /** Where the socket began, by the last hello. */
  #begin: Position | null = null;
  /** The newest event from before the first socket. */
  #past = 0;
  #socket: WebSocket | null = null;
  #greeted = false;
  #failures = 0;
  /** How many screens receive the same events as this one, by the last hello. */
  #screens = 1;
  #running = false;
  #pending: LiveEvent[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #viewing: Viewing | null = null;
  /** The line last sent on this socket; null on a new socket. */
  #sent: Viewing | null = null;
  #sentAt = 0;
  #sendTimer: ReturnType<typeof setTimeout> | undefined;

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
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#socket?.close(1000);
    this.#socket = null;
  }

  /**
   * Send the line that the user views, now and on each later socket. If it changes quickly, only
   * the last change is sent.
   */
  view(viewing: Viewing | null): void {
    this.#viewing = viewing;
    this.#sendViewing();
  }

  #sendViewing(): void {
    if (!this.#greeted || this.#sendTimer !== undefined || this.#viewing === this.#sent) return;
    const wait = this.#sentAt + BETWEEN_MESSAGES - Date.now();
    if (wait > 0) {
      this.#sendTimer = setTimeout(() => {
        this.#sendTimer = undefined;
        this.#sendViewing();
      }, wait);
      return;
    }
    this.#sent = this.#viewing;
    this.#sentAt = Date.now();
    this.#socket?.send(JSON.stringify({ viewing: this.#viewing }));
  }

  /** Reconnect at once if a retry is waiting: the network is back or the page is visible again. */
  wake(): void {
    if (!this.#running || this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    void this.#connect();
  }

  /** Drop the socket and reconnect later: an open socket would not notice a lost network for minutes. */
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
    let given: Ticket;
    try {
      given = await this.#options.ticket();
    } catch {
      this.#retryLater(); // Retry after any failure of the ticket request.
      return;
    }
    if (!this.#running) return;
    if (this.#position === null && given.begins) this.#remember(given.begins);
    const query = new URLSearchParams({ ticket: given.ticket });
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
      this.#checkLater(socket);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    });
  }

  /** After a silence, check whether the server still answers. */
  #checkLater(socket: WebSocket): void {
    clearTimeout(this.#checkTimer);
    const quiet = this.#options.quiet ?? QUIET;
    // A thousand screens that became silent at the same time must not all check at the same time.
    const wait = quiet * (1 + (this.#options.random ?? Math.random)() / 2);
    this.#checkTimer = setTimeout(() => void this.#checkServer(socket), wait);
  }

  async #checkServer(socket: WebSocket): Promise<void> {
    if (socket !== this.#socket) return;
    const isThere = await this.#options.isThere();
    if (socket !== this.#socket) return;
    if (isThere) this.#checkLater(socket);
    else this.interrupt();
  }

  #closed(code: number): void {
    const greeted = this.#greeted;
    this.#socket = null;
    this.#greeted = false;
    // Before the hello, 4401 means that the ticket had expired: try with a new one.
    if (code === SESSION_OVER && greeted) {
      this.stop();
      this.#options.onSessionOver();
    } else if (code === NOT_ALLOWED) {
      // Without a socket no event reports new permissions, so each poll tries to connect.
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
    // A thousand screens must not reconnect at the same time: the server also answers other requests.
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
      // Continue from the id in the hello, because ids may have gone back within one epoch.
      if (this.#begin !== null) this.#remember(this.#begin);
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
    this.#sent = null;
    this.#failures = 0;
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#past = this.#begin === null ? id : 0;
    this.#begin = { epoch, id };
    if (this.#position?.epoch !== epoch) this.#remember({ epoch, id });
    this.#screens = screens;
    this.#options.onScreens(screens);
    this.#options.onState("live");
    this.#sendViewing();
  }

  #flush(): void {
    const events = this.#pending;
    this.#pending = [];
    const past = events.filter(({ id }) => id <= this.#past);
    const now = events.slice(past.length);
    if (past.length > 0) this.#options.onEvents(past, true);
    if (now.length > 0) this.#options.onEvents(now, false);
    if (this.#position !== null) this.#options.memory.write(this.#position);
  }

  #remember(position: Position): void {
    this.#position = position;
    this.#options.memory.write(position);
  }
}

/**
 * The state of a customer link's page, outside React. It is loaded once, then again whenever its
 * socket reports a change.
 */
import type { CustomerPage } from "@/contract";
import { socketAddress } from "@/shared/bases";
import { external } from "@/shared/external";
import { setPlantZone } from "@/shared/format/plant";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { loadPage, pageTicket } from "./pageCalls";

export interface PageState {
  page: CustomerPage | null;
  /** Why the last load failed; null if it succeeded. */
  error: ApiError | null;
  live: boolean;
}

/**
 * The code with which the server closes a socket if the link is no longer valid, or the ticket was
 * too old.
 */
const OVER = 4401;
/** Milliseconds between two loads, so that a busy shop floor does not load a page over and over. */
const CALM = 2_000;
/** A socket that opens later than this after the page was loaded may have missed a change, in ms. */
const SLOW_START = 1_000;
const POLL_ALONE = 60_000;
/** Poll while live too: no event reports some changes, such as a new product name. */
const POLL_LIVE = 300_000;
const FIRST_RETRY = 1_000;
const LONGEST_RETRY = 30_000;

export class LinkedPage {
  readonly state = external<PageState>({ page: null, error: null, live: false });
  readonly #token: string;
  #running = false;
  #socket: WebSocket | null = null;
  #greeted = false;
  #failures = 0;
  #loadedAt = 0;
  #loads = 0;
  /**
   * Two timers: for the load after a change, and for the regular poll. A load clears only `#poll`,
   * so it does not cancel a load after a change.
   */
  #due: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(token: string) {
    this.#token = token;
  }

  /** Load the page and follow it, until the returned function is called. */
  start(): () => void {
    this.#running = true;
    void this.#load(true);
    void this.#connect();
    const wake = () => {
      if (!document.hidden) this.reload();
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    return () => {
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
      this.#stop();
    };
  }

  /** Load the page again: at once, or `CALM` milliseconds after the last load. */
  reload(): void {
    if (!this.#running) return;
    this.#loadIn(Math.max(0, this.#loadedAt + CALM - Date.now()));
  }

  #loadIn(wait: number): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => void this.#load(false), wait);
  }

  async #load(first: boolean): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    this.#loadedAt = Date.now();
    clearTimeout(this.#poll);
    try {
      const page = await loadPage(this.#token, first);
      if (load !== this.#loads) return;
      setPlantZone(page.zone); // before its days are drawn
      this.#change({ page, error: null });
    } catch (reason) {
      if (load === this.#loads) this.#fail(asApiError(reason));
    }
    if (!this.#running || load !== this.#loads) return;
    const wait = this.state.get().live ? POLL_LIVE : POLL_ALONE;
    this.#poll = setTimeout(() => void this.#load(false), wait);
  }

  /**
   * Keep what is on screen if the server cannot be reached. Show nothing more if the link is no
   * longer valid.
   */
  #fail(error: ApiError): void {
    if (error.status !== 404) {
      this.#change({ error });
      return;
    }
    this.#change({ page: null, error, live: false });
    this.#stop();
  }

  async #connect(): Promise<void> {
    let ticket: string;
    try {
      ticket = await pageTicket(this.#token);
    } catch {
      this.#connectLater(); // The next load shows whether the link is still valid.
      return;
    }
    if (!this.#running) return;
    const query = new URLSearchParams({ ticket });
    const socket = new WebSocket(socketAddress(`/ws/events?${query.toString()}`));
    this.#socket = socket;
    this.#greeted = false;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(data)) as { type: string });
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    });
  }

  #receive({ type }: { type: string }): void {
    if (type !== "hello") {
      this.reload();
      return;
    }
    const again = this.#failures > 0;
    this.#greeted = true;
    this.#failures = 0;
    this.#change({ live: true });
    // Changes may have been missed while no socket was open, or while the first one opened slowly.
    if (again || Date.now() - this.#loadedAt > SLOW_START) this.reload();
  }

  #closed(code: number): void {
    const over = code === OVER && this.#greeted;
    this.#socket = null;
    this.#greeted = false;
    this.#change({ live: false });
    if (over) this.#loadIn(0); // The answer says why the link is no longer valid.
    this.#connectLater();
  }

  #connectLater(): void {
    if (!this.#running) return;
    const ceiling = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.#failures);
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), ceiling * (0.5 + Math.random() / 2));
  }

  #change(state: Partial<PageState>): void {
    this.state.set({ ...this.state.get(), ...state });
  }

  #stop(): void {
    this.#running = false;
    clearTimeout(this.#due);
    clearTimeout(this.#poll);
    clearTimeout(this.#retry);
    this.#socket?.close(1000);
    this.#socket = null;
  }
}

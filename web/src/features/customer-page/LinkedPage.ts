/** A page by link outside React: loaded once, then again whenever its socket says that it has changed. */
import type { CustomerPage } from "@/contract";
import { socketAddress } from "@/shared/bases";
import { external } from "@/shared/external";
import { setPlantZone } from "@/shared/format/plant";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { loadPage, pageTicket } from "./pageCalls";

export interface PageState {
  page: CustomerPage | null;
  /** Why the last load failed; null if it did not. */
  error: ApiError | null;
  live: boolean;
}

/** The close code of a socket whose link is over, or whose ticket was too old. */
const OVER = 4401;
/** Milliseconds between two loads, so that a busy shop floor does not load a page over and over. */
const CALM = 2_000;
const POLL_ALONE = 60_000;
/** While it is live too: what no event reports, such as the name of a product, still arrives. */
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
  /** A load after a change, and the next one without any: a load under way must not put off the first. */
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

  /** Load the page again: at once, or when the last load was `CALM` ago. */
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

  /** Keep what is on screen if the server cannot be reached. A link that is over shows nothing any more. */
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
      this.#connectLater(); // Whatever the reason: the next load tells if the link is over.
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
    // Changes may have been missed while no socket was open.
    if (again) this.reload();
  }

  #closed(code: number): void {
    const over = code === OVER && this.#greeted;
    this.#socket = null;
    this.#greeted = false;
    this.#change({ live: false });
    if (over) this.#loadIn(0); // It answers that the link is over.
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

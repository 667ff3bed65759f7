/**
 * The scale of this device: on a serial port, if the browser has Web Serial, or a scale that types
 * like a keyboard.
 */
import { external } from "@/shared/external";
import { ofBrowser, parseStored } from "@/shared/stored";
import { FORMATS, isScales, readScale, ScaleLines, type Make, type Reading } from "./readings";

/** What this code uses of a Web Serial port. */
export interface Port {
  readonly readable: { getReader: () => Reader } | null;
  readonly writable: { readonly locked: boolean; getWriter: () => Writer } | null;
  open: (options: { baudRate: number; dataBits: 7 | 8; parity: "none" | "even" }) => Promise<void>;
  close: () => Promise<void>;
  getInfo: () => Info;
}

/** The adapter of a port; empty for a port without one. */
interface Info {
  usbVendorId?: number;
  usbProductId?: number;
}

interface Reader {
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel: () => Promise<void>;
  releaseLock: () => void;
}

interface Writer {
  write: (bytes: Uint8Array) => Promise<void>;
  releaseLock: () => void;
}

/** `navigator.serial`. */
export interface Ports {
  /** Ports that the user has chosen on this device before. */
  getPorts: () => Promise<Port[]>;
  /** Let the user choose a port. Rejects if they choose none. */
  requestPort: () => Promise<Port>;
  addEventListener: (type: "connect", listener: () => void) => void;
}

export interface ScaleSettings {
  make: Make;
  baudRate: number;
}

interface State {
  connected: boolean;
  /** The scale that this device remembers. */
  settings: (ScaleSettings & Info) | null;
}

/** `typed`: a keyboard scale typed the reading, and ended it with Enter. */
type Listener = (reading: Reading, typed: boolean) => void;

/** The key in local storage. The scale belongs to the device, so it stays when a session ends. */
const KEY = "scale";
/** Milliseconds between two questions to the scale. */
const ASKS_EVERY = 500;
/**
 * Milliseconds. A reading after this silence comes from a key press on a scale that answers no
 * questions.
 */
const PRESSED_AFTER = 2_000;
/** Grams by which the reading of a resting weight may drift: two steps of a scale. */
const DRIFT = 0.02;

export class Scale {
  readonly state = external<State>({ connected: false, settings: null });
  readonly #ports: Ports | null;
  readonly #listeners: Listener[] = [];
  #reader: Reader | null = null;
  #close: (() => Promise<void>) | null = null;
  #isOpening = false;
  #at = -Infinity;
  /** The last stable weight on the scale. */
  #shown: number | null = null;
  /** A weight that was sent and may still lie on the scale. */
  #used: number | null = null;

  /** `ports`: null if the browser has no Web Serial. */
  constructor(ports: Ports | null) {
    this.#ports = ports;
    if (ports === null) return;
    const settings = parseStored(ofBrowser.getItem(KEY)) as State["settings"];
    this.state.set({ connected: false, settings });
    ports.addEventListener("connect", () => void this.resume());
  }

  get isSupported(): boolean {
    return this.#ports !== null;
  }

  /**
   * Call `listener` with each reading, until the returned function is called. Only the newest
   * listener is called.
   */
  listen(listener: Listener): () => void {
    this.#listeners.push(listener);
    return () => void this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  /**
   * Let the user choose a port, open it and remember it. Rejects if they choose none, or if another page or program
   * uses it.
   */
  async connect(settings: ScaleSettings): Promise<void> {
    if (this.#ports === null) return;
    const port = await this.#ports.requestPort();
    await this.forget();
    const remembered = { ...settings, ...port.getInfo() };
    await this.#open(port, remembered);
    // If it cannot be stored, it is known until the page is loaded again.
    ofBrowser.setItem(KEY, JSON.stringify(remembered));
  }

  /** Open the remembered scale, if it is there. */
  async resume(): Promise<void> {
    const { connected, settings } = this.state.get();
    if (this.#ports === null || settings === null || connected || this.#isOpening) return;
    this.#isOpening = true;
    try {
      const port = (await this.#ports.getPorts()).find((each) => isSame(each, settings));
      if (port !== undefined) await this.#open(port, settings);
    } catch {
      // Another page or program uses the port. The state says that the scale is away.
    } finally {
      this.#isOpening = false;
    }
  }

  async forget(): Promise<void> {
    ofBrowser.removeItem(KEY);
    const close = this.#close;
    this.#close = null;
    this.state.set({ connected: false, settings: null });
    await close?.();
  }

  /**
   * Note that the weight on the scale was used. It is not offered again until something else lies
   * on the scale.
   */
  use(): void {
    this.#used = this.#shown;
  }

  /**
   * Whether a text that was typed outside of weight fields is a weight, and a weight field waits
   * for one.
   */
  awaits(text: string): boolean {
    return this.#listeners.length > 0 && isScales(text);
  }

  /**
   * Pass a text for which `awaits` is true to the waiting field. Returns false for any other text.
   */
  type(text: string): boolean {
    const reading = this.awaits(text) ? readScale(text) : null;
    if (reading !== null) this.#listeners.at(-1)?.(reading, true);
    return reading !== null;
  }

  async #open(port: Port, settings: ScaleSettings & Info): Promise<void> {
    const { dataBits, parity, asks } = FORMATS[settings.make];
    await port.open({ baudRate: settings.baudRate, dataBits, parity });
    const asking = setInterval(() => void ask(port, asks), ASKS_EVERY);
    const ended = this.#readAll(port, settings.make).then(async () => {
      clearInterval(asking);
      await port.close().catch(() => undefined); // an unplugged port is closed already
      if (this.#close !== close) return;
      this.#close = null;
      this.state.set({ connected: false, settings });
    });
    const close = async () => {
      await this.#reader?.cancel();
      await ended;
    };
    this.#close = close;
    this.state.set({ connected: true, settings });
  }

  /** Read until the port is closed or unplugged. */
  async #readAll(port: Port, make: Make): Promise<void> {
    for (let source = port.readable; source !== null;) {
      const lines = new ScaleLines(make);
      const reader = source.getReader();
      this.#reader = reader;
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done || value === undefined) return;
          for (const reading of lines.push(textOf(value))) this.#take(reading);
        }
      } catch {
        // After a damaged character the port has a new stream. An unplugged port has none.
        source = port.readable === source ? null : port.readable;
      } finally {
        this.#reader = null;
        reader.releaseLock();
      }
    }
  }

  #take(reading: Reading): void {
    const now = performance.now();
    const isPressed = now - this.#at > PRESSED_AFTER;
    this.#at = now;
    if (this.#used !== null && !isPressed && isStillThere(reading, this.#used)) return;
    this.#used = null;
    if (reading.kind === "stable") this.#shown = reading.grams;
    this.#listeners.at(-1)?.(reading, false);
  }
}

export const scale = new Scale((navigator as Navigator & { serial?: Ports }).serial ?? null);

function isSame(port: Port, known: Info): boolean {
  const { usbVendorId, usbProductId } = port.getInfo();
  return usbVendorId === known.usbVendorId && usbProductId === known.usbProductId;
}

/** Whether a reading may be of the used weight. A scale that settles again must be seen nearly empty in between. */
function isStillThere(reading: Reading, used: number): boolean {
  if (reading.kind === "refused") return false;
  return Math.abs(reading.grams - used) <= (reading.kind === "stable" ? DRIFT : used / 2);
}

/** Drop the eighth bit: a scale may send it as parity. */
const textOf = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes.map((byte) => byte & 0x7f));

async function ask({ writable }: Port, command: string): Promise<void> {
  if (writable === null || writable.locked) return;
  const writer = writable.getWriter();
  try {
    await writer.write(new TextEncoder().encode(command));
  } catch {
    // The port is gone: the reading of it ends too.
  } finally {
    writer.releaseLock();
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Reading } from "./readings";
import { Scale, type Port, type Ports } from "./scale";

const AND = { make: "and", baudRate: 2_400 } as const;
const USB = { usbVendorId: 0x0403, usbProductId: 0x6001 };

/** A port that sends what the test says, and records what it was asked. */
class SimulatedPort implements Port {
  readable: ReturnType<SimulatedPort["stream"]> | null = null;
  writable = { locked: false, getWriter: () => ({ write: this.write, releaseLock: () => {} }) };
  opened: unknown[] = [];
  asked: string[] = [];
  info: ReturnType<Port["getInfo"]> = USB;
  #waiting: ((chunk: { done: boolean; value?: Uint8Array }) => void) | null = null;
  #fail: ((reason: Error) => void) | null = null;

  write = (bytes: Uint8Array) => {
    this.asked.push(new TextDecoder().decode(bytes));
    return Promise.resolve();
  };

  stream = () => ({
    getReader: () => ({
      read: () =>
        new Promise<{ done: boolean; value?: Uint8Array }>((resolve, reject) => {
          [this.#waiting, this.#fail] = [resolve, reject];
        }),
      cancel: () => {
        this.#waiting?.({ done: true });
        return Promise.resolve();
      },
      releaseLock: () => {},
    }),
  });

  open = (options: unknown) => {
    this.opened.push(options);
    this.readable = this.stream();
    return Promise.resolve();
  };

  close = () => {
    this.readable = null;
    return Promise.resolve();
  };

  getInfo = () => this.info;

  /** `parity`: the eighth bit of each character. */
  async send(text: string, parity = 0) {
    const value = new TextEncoder().encode(text).map((byte) => byte | parity);
    this.#waiting?.({ done: false, value });
    await vi.advanceTimersByTimeAsync(0);
  }

  /** End the stream as a damaged character does (the port has a new one), or as pulling the cable does. */
  async fail({ unplugged = false } = {}) {
    this.readable = unplugged ? null : this.stream();
    this.#fail?.(new Error("lost"));
    await vi.advanceTimersByTimeAsync(0);
  }
}

class SimulatedPorts implements Ports {
  granted: Port[] = [];
  chosen: Port | null = null;
  plugged = () => {};

  getPorts = () => Promise.resolve(this.granted);
  requestPort = () =>
    this.chosen === null
      ? Promise.reject(new DOMException("none", "NotFoundError"))
      : Promise.resolve(this.chosen);
  addEventListener = (_: "connect", listener: () => void) => {
    this.plugged = listener;
  };
}

let port: SimulatedPort;
let ports: SimulatedPorts;
const heard: [Reading, boolean][] = [];
const grams = () => heard.map(([reading]) => (reading.kind === "refused" ? null : reading.grams));

async function connected(): Promise<Scale> {
  const scale = new Scale(ports);
  scale.listen((reading, typed) => heard.push([reading, typed]));
  await scale.connect(AND);
  await port.send("\r\n");
  return scale;
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  heard.length = 0;
  port = new SimulatedPort();
  ports = new SimulatedPorts();
  ports.chosen = port;
});
afterEach(() => vi.useRealTimers());

describe("a scale on a serial port", () => {
  it("is opened as its make sends, asked twice a second, and heard", async () => {
    const scale = await connected();
    expect(port.opened).toEqual([{ baudRate: 2_400, dataBits: 7, parity: "even" }]);
    expect(scale.state.get().connected).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(port.asked).toEqual(["Q\r\n", "Q\r\n"]);
    await port.send("US,+00011.90  g\r\nST,+000");
    await port.send("12.34  g\r\n");
    expect(heard).toEqual([
      [{ kind: "moving", grams: 11.9 }, false],
      [{ kind: "stable", grams: 12.34 }, false],
    ]);
  });

  it("is read though it sends parity bits", async () => {
    await connected();
    await port.send("ST,+00012.34  g\r\n", 0x80);
    expect(grams()).toEqual([12.34]);
  });

  it("is heard by the newest field alone", async () => {
    const scale = await connected();
    const stop = scale.listen(() => {});
    await port.send("ST,+00012.34  g\r\n");
    expect(heard).toEqual([]);
    stop();
    await port.send("ST,+00012.34  g\r\n");
    expect(grams()).toEqual([12.34]);
  });

  it("goes on after a damaged character, without the cut line", async () => {
    const scale = await connected();
    await port.send("ST,+000");
    await port.fail();
    expect(scale.state.get().connected).toBe(true);
    await port.send("2.34  g\r\nST,+00012.34  g\r\n");
    expect(grams()).toEqual([12.34]);
  });

  it("is not opened, and nothing is remembered, if the user chooses no port", async () => {
    ports.chosen = null;
    const scale = new Scale(ports);
    await expect(scale.connect(AND)).rejects.toMatchObject({ name: "NotFoundError" });
    expect(scale.state.get()).toEqual({ connected: false, settings: null });
    expect(localStorage.getItem("scale")).toBeNull();
  });
});

describe("a weight that was sent", () => {
  it("is not offered again while it lies on the scale, even if it moves or drifts", async () => {
    const scale = await connected();
    await port.send("ST,+00012.34  g\r\n");
    scale.use();
    await port.send("ST,+00012.34  g\r\nUS,+00012.60  g\r\nST,+00012.35  g\r\n");
    expect(grams()).toEqual([12.34]);
  });

  it.each(["ST,+00000.00  g", "US,+00003.10  g", "US,-00000.40  g"])(
    "is offered again from an equal piece, once the scale was seen empty: %s",
    async (empty) => {
      const scale = await connected();
      await port.send("ST,+00012.34  g\r\n");
      scale.use();
      await port.send(`${empty}\r\nST,+00012.34  g\r\n`);
      expect(grams().at(-1)).toBe(12.34);
      expect(grams()).toHaveLength(3);
    },
  );

  it("is offered again if a scale that answers no questions sends it by its own key", async () => {
    const scale = await connected();
    await port.send("ST,+00012.34  g\r\n");
    scale.use();
    await vi.advanceTimersByTimeAsync(2_001);
    await port.send("ST,+00012.34  g\r\n");
    expect(grams()).toEqual([12.34, 12.34]);
  });
});

describe("the scale of a device", () => {
  it("is remembered and opened again by the next page, on its own port", async () => {
    await connected();
    const other = new SimulatedPort();
    other.info = {};
    const again = new SimulatedPort();
    ports.granted = [other, again];
    const next = new Scale(ports);
    expect(next.state.get()).toEqual({ connected: false, settings: { ...AND, ...USB } });
    await next.resume();
    await next.resume();
    expect([other.opened.length, again.opened.length]).toEqual([0, 1]);
    expect(next.state.get().connected).toBe(true);
  });

  it("is away once its cable is pulled, and opened when it is back", async () => {
    const scale = await connected();
    await port.fail({ unplugged: true });
    expect(scale.state.get()).toMatchObject({ connected: false, settings: AND });
    const asked = port.asked.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(port.asked).toHaveLength(asked);
    ports.granted = [port];
    ports.plugged();
    await vi.advanceTimersByTimeAsync(0);
    expect(scale.state.get().connected).toBe(true);
  });

  it("is away while another page uses its port", async () => {
    await connected();
    const busy = new SimulatedPort();
    busy.open = () => Promise.reject(new DOMException("in use", "NetworkError"));
    ports.granted = [busy];
    const next = new Scale(ports);
    await next.resume();
    expect(next.state.get()).toMatchObject({ connected: false, settings: AND });
  });

  it("can be forgotten: its port is closed", async () => {
    const scale = await connected();
    await scale.forget();
    expect(port.readable).toBeNull();
    expect(scale.state.get()).toEqual({ connected: false, settings: null });
    expect(new Scale(ports).state.get().settings).toBeNull();
  });
});

describe("a weight that was typed outside of weight fields", () => {
  it("goes to the field that waits for it, and codes go to nobody", () => {
    const scale = new Scale(null);
    expect(scale.type("12.34")).toBe(false);
    const stop = scale.listen((reading, typed) => heard.push([reading, typed]));
    expect(["12-1", "123456"].map((code) => scale.type(code))).toEqual([false, false]);
    expect(scale.type("12.34 g")).toBe(true);
    expect(heard).toEqual([[{ kind: "stable", grams: 12.34 }, true]]);
    stop();
    expect(scale.awaits("12.34")).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepShell, type KeptShell } from "./keptShell";

class AWorker extends EventTarget {
  state: ServiceWorkerState = "installing";
  postMessage = vi.fn<() => void>();
}

class ARegistration extends EventTarget {
  waiting: AWorker | null = null;
  installing: AWorker | null = null;
  update = vi.fn<() => Promise<undefined>>(async () => undefined);

  /** A new release has come, and its files are here. */
  async find(): Promise<AWorker> {
    const found = new AWorker();
    this.installing = found;
    this.dispatchEvent(new Event("updatefound"));
    found.state = "installed";
    found.dispatchEvent(new Event("statechange"));
    return found;
  }
}

class AContainer extends EventTarget {
  controller: AWorker | null = new AWorker();
  registration = new ARegistration();
  register = vi.fn<() => Promise<ARegistration>>(async () => this.registration);
}

let container: AContainer;
let shell: KeptShell;
const reload = vi.fn<() => void>();

function start(): void {
  shell = keepShell({ container, reload });
}

const touch = () => window.dispatchEvent(new Event("pointerdown"));
const takeOver = () => container.dispatchEvent(new Event("controllerchange"));

beforeEach(() => {
  vi.useFakeTimers();
  container = new AContainer();
  reload.mockClear();
});

afterEach(() => {
  shell.end();
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("a new release", () => {
  it("takes over once nobody touches the page, which is then loaded anew", async () => {
    start();
    await vi.advanceTimersByTimeAsync(0);
    const next = await container.registration.find();
    touch();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(next.postMessage).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(next.postMessage).toHaveBeenCalledWith("take-over");
    expect(reload).not.toHaveBeenCalled();
    takeOver();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("waits while something stands open or is not saved", async () => {
    start();
    await vi.advanceTimersByTimeAsync(0);
    const next = await container.registration.find();
    const dialog = document.body.appendChild(document.createElement("section"));
    dialog.setAttribute("role", "dialog");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(next.postMessage).not.toHaveBeenCalled();
    dialog.remove();
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(next.postMessage).not.toHaveBeenCalled();
    window.removeEventListener("beforeunload", ask);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(next.postMessage).toHaveBeenCalled();
  });

  it("that waited since the last visit takes over too", async () => {
    container.registration.waiting = new AWorker();
    start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(container.registration.waiting.postMessage).toHaveBeenCalledWith("take-over");
  });

  it("is looked for when the server is back", async () => {
    start();
    await vi.advanceTimersByTimeAsync(0);
    shell.update();
    expect(container.registration.update).toHaveBeenCalledTimes(1);
  });
});

it("does not load the page anew for the first worker", async () => {
  container.controller = null;
  start();
  await vi.advanceTimersByTimeAsync(0);
  await container.registration.find();
  takeOver();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reload).not.toHaveBeenCalled();
});

it("takes up the release that follows the first one, on the same page", async () => {
  container.controller = null;
  start();
  await vi.advanceTimersByTimeAsync(0);
  await container.registration.find();
  takeOver();
  const next = await container.registration.find();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(next.postMessage).toHaveBeenCalledWith("take-over");
  takeOver();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

it("goes on where the browser lets nothing be kept", async () => {
  container.register.mockRejectedValue(new DOMException("no", "SecurityError"));
  start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reload).not.toHaveBeenCalled();
});

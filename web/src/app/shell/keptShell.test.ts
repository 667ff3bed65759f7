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

  /** Simulate a new release that is fully downloaded. */
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
  it("takes over once the page is idle, and then the page reloads", async () => {
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

  it("waits while a dialog is open or input is not saved", async () => {
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

  it("that has waited since the last visit takes over too", async () => {
    container.registration.waiting = new AWorker();
    start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(container.registration.waiting.postMessage).toHaveBeenCalledWith("take-over");
  });

  it("is checked for when the server is back", async () => {
    start();
    await vi.advanceTimersByTimeAsync(0);
    shell.update();
    expect(container.registration.update).toHaveBeenCalledTimes(1);
  });
});

it("does not reload the page for the first worker", async () => {
  container.controller = null;
  start();
  await vi.advanceTimersByTimeAsync(0);
  await container.registration.find();
  takeOver();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reload).not.toHaveBeenCalled();
});

it("takes over the next release after the first worker, on the same page", async () => {
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

it("continues if the browser refuses to register a worker", async () => {
  container.register.mockRejectedValue(new DOMException("no", "SecurityError"));
  start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(reload).not.toHaveBeenCalled();
});

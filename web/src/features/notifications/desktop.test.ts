import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { desktopState, showOnDesktop, switchDesktop } from "./desktop";

class Shown extends EventTarget {
  static permission = "default";
  static readonly all: { title: string; options: NotificationOptions }[] = [];
  static requestPermission = vi.fn<() => Promise<string>>(async () => Shown.permission);

  constructor(title: string, options: NotificationOptions) {
    super();
    Shown.all.push({ title, options });
  }
}

const hidden = (state: "hidden" | "visible") =>
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
const show = () => showOnDesktop(7, "Orden por vencer", "PO#: A, Orden: 1", () => {});

beforeEach(() => {
  localStorage.clear();
  Shown.all.length = 0;
  vi.stubGlobal("Notification", Shown);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("shows nothing until the user turns it on", async () => {
  Shown.permission = "granted";
  hidden("hidden");
  show();
  expect(Shown.all).toEqual([]);
  expect(await switchDesktop()).toBe("on");
  show();
  expect(Shown.all).toEqual([
    { title: "Orden por vencer", options: { body: "PO#: A, Orden: 1", tag: "obrador-7" } },
  ]);
  expect(await switchDesktop()).toBe("off");
});

it("shows nothing while the page is visible", async () => {
  Shown.permission = "granted";
  await switchDesktop();
  hidden("visible");
  show();
  expect(Shown.all).toEqual([]);
});

it("is blocked if the browser blocks notifications", async () => {
  Shown.permission = "denied";
  expect(await switchDesktop()).toBe("blocked");
});

it("is unsupported if the browser has no notifications", () => {
  vi.unstubAllGlobals();
  expect(desktopState()).toBe("unsupported");
});

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

it("shows nothing until somebody asks for it", async () => {
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

it("shows nothing to somebody who is looking", async () => {
  Shown.permission = "granted";
  await switchDesktop();
  hidden("visible");
  show();
  expect(Shown.all).toEqual([]);
});

it("says where the browser was told to block them", async () => {
  Shown.permission = "denied";
  expect(await switchDesktop()).toBe("blocked");
});

it("says where the browser has none", () => {
  vi.unstubAllGlobals();
  expect(desktopState()).toBe("unsupported");
});

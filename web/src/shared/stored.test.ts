import { afterEach, describe, expect, it, vi } from "vitest";
import { keepsNothing, ofBrowser } from "./stored";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  ofBrowser.removeItem("word");
});

function refuse(): never {
  throw new DOMException("Access is denied for this document.", "SecurityError");
}

describe.each([
  ["is blocked", () => vi.spyOn(globalThis, "localStorage", "get").mockImplementation(refuse)],
  ["is null", () => vi.stubGlobal("localStorage", null)],
  ["is full", () => vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse)],
])("a storage that %s", (_, block) => {
  it("is replaced by memory", () => {
    block();
    expect(ofBrowser.getItem("word")).toBeNull();
    expect(ofBrowser.setItem("word", "plata")).toBe(false);
    expect(ofBrowser.getItem("word")).toBe("plata");
    ofBrowser.removeItem("word");
    expect(ofBrowser.getItem("word")).toBeNull();
  });
});

it("keeps a text beyond this page, and forgets what memory held of it", () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementationOnce(refuse);
  ofBrowser.setItem("word", "cobre");
  full.mockRestore();
  expect(ofBrowser.setItem("word", "plata")).toBe(true);
  expect(localStorage.getItem("word")).toBe("plata");
  localStorage.setItem("word", "oro");
  expect(ofBrowser.getItem("word")).toBe("oro");
});

it("says whether the browser keeps nothing", () => {
  expect(keepsNothing()).toBe(false);
  vi.stubGlobal("localStorage", null);
  expect(keepsNothing()).toBe(true);
});

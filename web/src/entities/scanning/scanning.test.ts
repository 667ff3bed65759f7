import { createEvent, fireEvent, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { codeOf } from "./codes";
import { QUICK } from "@/shared/keyboard/pace";
import { StrayKeys, TypedCode, useScannerTyping } from "./scanning";

const CODE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOP";

interface Typing {
  typed?: TypedCode;
  from?: number;
  end?: string;
  inField?: boolean;
}

function type(text: string, pace: number, typing: Typing = {}): string | null {
  const { typed = new TypedCode(), from = 1_000, end = "Enter", inField = false } = typing;
  let at = from;
  let found: string | null = null;
  for (const key of [...text, end]) {
    at += pace;
    found = typed.press(key, at, inField);
  }
  return found;
}

describe.each(["Enter", "Tab"])("a burst that ends with %s", (end) => {
  it("is a scan if it is long, or a line's short code outside text fields", () => {
    expect(type(CODE, 5, { end })).toBe(CODE);
    expect(type(CODE, 5, { end, inField: true })).toBe(CODE);
    expect(type("12-1", 5, { end })).toBe("12-1");
    expect(type("12'1", 5, { end })).toBe("12'1");
  });

  it("is not a scan if a person may have typed it", () => {
    expect(type(CODE, QUICK + 1, { end })).toBeNull();
    expect(type("hola", 5, { end })).toBeNull();
    expect(type("12-1", 5, { end, inField: true })).toBeNull();
  });
});

it("treats a quick text in a field before Tab as a scan only if it is a code", () => {
  const isShort = (text: string) => text.length >= 3;
  const [sheet, quantity] = ["12-1", "120"].map((text) =>
    type(text, 5, { end: "Tab", inField: true, typed: new TypedCode(isShort) }),
  );
  expect([sheet, quantity]).toEqual(["12-1", null]);
});

it.each(["Tab", "Shift+Tab"])("treats a later %s as a person's key", (key) => {
  const typed = new TypedCode();
  for (const [place, each] of [...CODE].entries()) typed.press(each, 1_000 + 5 * place);
  expect(typed.press(key, 1_000 + 5 * CODE.length + 200)).toBeNull();
});

it("recognizes a whole code by its form if one burst typed it", () => {
  const whole = (text: string, pace = 5, inField = false) => {
    const typed = new TypedCode();
    for (const [place, key] of [...text].entries()) typed.press(key, 1_000 + pace * place, inField);
    return typed.whole;
  };
  expect(whole(CODE)).toBe(CODE);
  expect(whole(`]Q1${CODE}`)).toBe(`]Q1${CODE}`);
  expect(whole("57?1")).toBe("57?1");
  expect(whole(CODE, 5, true)).toBe(CODE);
  const none = [whole("57-1", 5, true), whole("57-1", 100), whole("57-"), whole("7501055300075")];
  expect(none).toEqual([null, null, null, null]);
});

it.each([
  ["57'1", "57-1"],
  ["57/1", "57-1"],
  ["57?1", "57-1"],
  ["57_1", "57-1"],
  [" 57–1 ", "57-1"],
  ["]Q157-1", "57-1"],
  ["]C1B1AAAA", "B1AAAA"],
  ["+Q1ABCD", "ABCD"],
  ["Anillo 5/1", "Anillo 5/1"],
  ["5/1/2", "5/1/2"],
])("reads %s as %s", (text, code) => {
  expect(codeOf(text)).toBe(code);
});

describe("a page with a scanner", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });
  afterEach(() => document.body.replaceChildren());

  /** Press a key now, by the clock of the test: on a busy machine the real one has pauses as of a person. */
  function press(target: Element, key: string) {
    const event = createEvent.keyDown(target, { key });
    Object.defineProperty(event, "timeStamp", { value: performance.now() });
    return fireEvent(target, event);
  }

  function scan(text: string, end: string | null, target: Element = document.body) {
    for (const key of text) press(target, key);
    return end === null || press(target, end);
  }

  function hear() {
    const heard = vi.fn<(code: string) => void>();
    renderHook(() => useScannerTyping(heard));
    return heard;
  }

  it.each(["Enter", "Tab"])("reports a code before %s, and stops that key", (end) => {
    const heard = hear();
    expect(scan("57'1", end)).toBe(false);
    expect(heard.mock.calls).toEqual([["57-1"]]);
    vi.advanceTimersByTime(5_000);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("reports a code without an end key once, after a silence", () => {
    const heard = hear();
    scan(`]Q1${CODE}`, null);
    vi.advanceTimersByTime(400);
    expect(heard).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(heard.mock.calls).toEqual([[CODE]]);
    vi.advanceTimersByTime(5_000);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("does not report the beginning of a longer code", () => {
    const heard = hear();
    scan("57-1", null);
    vi.advanceTimersByTime(300);
    scan("x", null);
    vi.advanceTimersByTime(5_000);
    expect(heard).not.toHaveBeenCalled();
  });

  it("restores the text that a field had before the scan", () => {
    const heard = hear();
    const field = document.body.appendChild(document.createElement("input"));
    field.value = "anillo";
    for (const key of CODE) {
      press(field, key);
      field.value += key;
    }
    vi.advanceTimersByTime(500);
    expect(heard.mock.calls).toEqual([[CODE]]);
    expect(field.value).toBe("anillo");
  });

  it("does not report a short code typed in a field, nor prevent Tab", () => {
    const heard = hear();
    const field = document.body.appendChild(document.createElement("input"));
    expect(scan("57-1", "Tab", field)).toBe(true);
    expect(scan("57-1", null, field)).toBe(true);
    vi.advanceTimersByTime(5_000);
    expect(heard).not.toHaveBeenCalled();
  });
});

it("ignores text typed before a scan, and reports a scan once", () => {
  const typed = new TypedCode();
  typed.press("x", 100);
  expect(type(CODE, 5, { typed })).toBe(CODE);
  expect(typed.press("Enter", 2_000)).toBeNull();
});

it("ignores keys that type nothing", () => {
  const typed = new TypedCode();
  typed.press("Shift", 1_000);
  expect(type(CODE, 5, { typed })).toBe(CODE);
});

it("treats a short text as a scan if `isShort` accepts it", () => {
  const isShort = (text: string) => /^\d+-\d+$/.test(text);
  expect(type("12-1", 5, { typed: new TypedCode(isShort) })).toBe("12-1");
  expect(type("12", 5, { typed: new TypedCode(isShort) })).toBeNull();
});

it("does not report the end of an interrupted code as a code", () => {
  const typed = new TypedCode((text) => text.length >= 3);
  typed.press("1", 1_000);
  expect(type("12-1", 5, { typed, from: 1_200 })).toBe("112-1");
});

it.each(["Escape", "Tab", "ArrowDown"])("forgets text typed before %s", (key) => {
  const typed = new TypedCode((text) => text.length >= 3);
  for (const at of [1_000, 1_200]) typed.press("0", at);
  typed.press(key, 1_300);
  expect(type("12-1", 5, { typed, from: 1_400 })).toBe("12-1");
});

it("accepts the Enter of a scan 200 ms later", () => {
  const typed = new TypedCode();
  for (const [place, key] of [...CODE].entries()) typed.press(key, 1_000 + 5 * place);
  expect(typed.press("Enter", 1_000 + 5 * CODE.length + 200)).toBe(CODE);
});

function stray(keys: readonly string[], pace: number, typed = new StrayKeys(), from = 1_000) {
  let found: string | null = null;
  for (const [place, key] of keys.entries()) found = typed.press(key, from + place * pace);
  return found;
}

it.each([60, 150, 900, 3_000])(
  "reads a code typed at %d ms a key, and prevents the action of its Enter",
  (pace) => {
    expect(stray([..."1234-1", "Enter"], pace)).toBe("1234-1");
  },
);

it("prevents the action of Enter and of the space bar after stray characters", () => {
  expect(stray(["4", " "], 200)).toBe("");
  expect(stray(["4", "Tab", "Enter"], 200)).toBe("");
});

it("prevents the action of a scanner's second Enter, and of a key held down", () => {
  const typed = new StrayKeys();
  expect(stray([..."12-1", "Enter", "Enter"], 100, typed)).toBe("");
  expect(typed.press("Enter", 60_000, true)).toBe("");
  expect(typed.press(" ", 60_000, true)).toBe("");
});

it("allows the keys of a person", () => {
  expect(stray(["Tab", "ArrowDown", "Shift", "Enter"], 100)).toBeNull();
  expect(stray(["Enter", "Tab", "Enter", " "], 100)).toBeNull();
  expect(stray(["4", "Tab", "Enter"], 600)).toBeNull();
  const typed = new StrayKeys();
  stray([..."12-1", "Enter"], 100, typed);
  expect(typed.press("Enter", 5_000)).toBeNull();
});

import { expect, it } from "vitest";
import { QUICK, StrayKeys, TypedCode } from "./scanning";

const CODE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function type(text: string, pace: number, typed = new TypedCode(), from = 1_000): string | null {
  let at = from;
  let found: string | null = null;
  for (const key of [...text, "Enter"]) {
    at += pace;
    found = typed.press(key, at);
  }
  return found;
}

it("takes a quick long text that ends with Enter for a scan", () => {
  expect(type(CODE, 5)).toBe(CODE);
});

it("takes nothing a person types", () => {
  expect(type(CODE, QUICK + 1)).toBeNull();
  expect(type("hola", 5)).toBeNull();
});

it("forgets what was typed before the scan, and the scan once it is told", () => {
  const typed = new TypedCode();
  typed.press("x", 100);
  expect(type(CODE, 5, typed)).toBe(CODE);
  expect(typed.press("Enter", 2_000)).toBeNull();
});

it("leaves out keys that write nothing", () => {
  const typed = new TypedCode();
  typed.press("Shift", 1_000);
  expect(type(CODE, 5, typed)).toBe(CODE);
});

it("takes a short text for a scan where such a text is a code", () => {
  const isShort = (text: string) => /^\d+-\d+$/.test(text);
  expect(type("12-1", 5, new TypedCode(isShort))).toBe("12-1");
  expect(type("12", 5, new TypedCode(isShort))).toBeNull();
  expect(type("12-1", 5)).toBeNull();
});

it("never takes the rest of a torn code for a code", () => {
  const typed = new TypedCode((text) => text.length >= 3);
  typed.press("1", 1_000);
  expect(type("12-1", 5, typed, 1_200)).toBe("112-1");
});

it.each(["Escape", "Tab", "ArrowDown"])("forgets what a person typed before %s", (key) => {
  const typed = new TypedCode((text) => text.length >= 3);
  for (const at of [1_000, 1_200]) typed.press("0", at);
  typed.press(key, 1_300);
  expect(type("12-1", 5, typed, 1_400)).toBe("12-1");
});

it("waits a moment for the Enter of a scan", () => {
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
  "reads a code typed at %d ms a key, and lets its Enter press nothing",
  (pace) => {
    expect(stray([..."1234-1", "Enter"], pace)).toBe("1234-1");
  },
);

it("lets neither Enter nor the space bar press after stray characters", () => {
  expect(stray(["4", " "], 200)).toBe("");
  expect(stray(["4", "Tab", "Enter"], 200)).toBe("");
});

it("lets the second Enter of a scanner, and one held down, press nothing", () => {
  const typed = new StrayKeys();
  expect(stray([..."12-1", "Enter", "Enter"], 100, typed)).toBe("");
  expect(typed.press("Enter", 60_000, true)).toBe("");
  expect(typed.press(" ", 60_000, true)).toBe("");
});

it("lets a person at the keyboard press", () => {
  expect(stray(["Tab", "ArrowDown", "Shift", "Enter"], 100)).toBeNull();
  expect(stray(["Enter", "Tab", "Enter", " "], 100)).toBeNull();
  expect(stray(["4", "Tab", "Enter"], 600)).toBeNull();
  const typed = new StrayKeys();
  stray([..."12-1", "Enter"], 100, typed);
  expect(typed.press("Enter", 5_000)).toBeNull();
});

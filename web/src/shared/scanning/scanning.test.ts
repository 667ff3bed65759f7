import { expect, it } from "vitest";
import { QUICK, TypedCode } from "./scanning";

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

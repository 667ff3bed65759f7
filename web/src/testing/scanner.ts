/** A scanner, for tests in a browser. */
import { cdp } from "vitest/browser";

/** Milliseconds between two keys of a scanner. */
const BETWEEN_KEYS = 5;
const KEY_CODES: Record<string, number> = { Enter: 13, Tab: 9 };

/**
 * Type a code as a scanner does: quickly, wherever the focus is. Each key bears its own time, so that a
 * busy machine tears no code.
 */
export async function scan(code: string, end: "Enter" | "Tab" | null = "Enter"): Promise<void> {
  const keys = [...code, ...(end === null ? [] : [end])];
  const began = Date.now() - keys.length * BETWEEN_KEYS;
  const send = (type: string, key: object) =>
    cdp().send("Input.dispatchKeyEvent", { type, ...key } as never);
  await Promise.all(
    keys.flatMap((key, place) => {
      const text = key === "Enter" ? "\r" : key === "Tab" ? "" : key;
      const pressed = {
        key,
        text,
        windowsVirtualKeyCode: KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0),
        timestamp: (began + place * BETWEEN_KEYS) / 1_000,
      };
      const { text: _, ...released } = pressed;
      return [send(text === "" ? "rawKeyDown" : "keyDown", pressed), send("keyUp", released)];
    }),
  );
}

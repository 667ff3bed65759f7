/** Detect codes that a hardware scanner types anywhere on the page, and weights that a keyboard scale types. */
import { QUICK, SILENCE } from "@/shared/keyboard/pace";
import { useEffect, useEffectEvent } from "react";
import { readScale } from "@/entities/weight/readings";
import { scale } from "@/entities/weight/scale";
import { codeOf, hasShape, isShortCode } from "./codes";

interface Hearing {
  /** Which short texts are codes. By default a line's short code outside text fields. */
  isShort?: IsShort;
  /** Also detect slow scanners, and prevent their Enter from pressing the focused element. */
  slowly?: boolean;
}

/**
 * Call `onCode` for each code that a scanner types. A typed weight goes to the weight field that
 * waits for it instead. `hearing` must be the same object in every render.
 */
export function useScannerTyping(onCode: (code: string) => void, hearing?: Hearing): void {
  const hear = useEffectEvent((code: string) => {
    if (!scale.type(code)) onCode(code);
  });
  useEffect(() => {
    const isShort = hearing?.isShort ?? isCodeOutsideFields;
    const typed = new TypedCode((text, inField) => scale.awaits(text) || isShort(text, inField));
    const stray = new StrayKeys();
    let before: { field: HTMLInputElement | HTMLTextAreaElement; value: string } | null = null;
    let silence: ReturnType<typeof setTimeout> | undefined;
    /** Prevent the Enter of a scan from sending the form or pressing the focused button. */
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const hearStray = (event: KeyboardEvent) => {
      const found = stray.press(event.key, event.timeStamp, event.repeat);
      if (found === null) return;
      take(event);
      if (found !== "") hear(codeOf(found));
    };
    const hearScan = (code: string, at: number) => {
      if (before !== null) restore(before.field, before.value);
      stray.end(at);
      hear(codeOf(code));
    };
    /** Report a whole code after a silence: some scanners send no end key. */
    const onSilence = () => {
      const code = typed.whole;
      typed.forget();
      if (code !== null) hearScan(code, performance.now());
    };
    const onKey = (event: KeyboardEvent) => {
      const inField = fieldOf(event.target) !== null;
      const key = event.key === "Tab" && event.shiftKey ? "Shift+Tab" : event.key;
      const code = typed.press(key, event.timeStamp, inField);
      if (typed.length === 1) before = fieldOf(event.target);
      clearTimeout(silence);
      if (typed.whole !== null) silence = setTimeout(onSilence, SILENCE);
      if (code !== null && isWeighed(event.target, code)) return;
      if (code !== null) {
        take(event);
        hearScan(code, event.timeStamp);
      } else if (hearing?.slowly === true && fieldOf(event.target) === null) {
        if (!event.ctrlKey && !event.altKey && !event.metaKey) hearStray(event);
      }
    };
    // Some browsers press a button only when the space bar is released.
    const onUp = (event: KeyboardEvent) => {
      if (event.key === " " && stray.spaceTaken) take(event);
    };
    const onPointer = () => {
      typed.forget();
      stray.forget();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("keyup", onUp, { capture: true });
    window.addEventListener("pointerdown", onPointer, { capture: true });
    return () => {
      clearTimeout(silence);
      window.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("keyup", onUp, { capture: true });
      window.removeEventListener("pointerdown", onPointer, { capture: true });
    };
  }, [hearing]);
}

const NOT_TYPED_INTO = new Set(["radio", "checkbox", "button", "submit", "range", "file"]);

function fieldOf(target: EventTarget | null) {
  const typable = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return typable && !NOT_TYPED_INTO.has(target.type)
    ? { field: target, value: target.value }
    : null;
}

/** Whether a text is a weight that was typed into a weight field. The field reads it itself. */
const isWeighed = (target: EventTarget | null, text: string): boolean =>
  target instanceof HTMLElement && "weight" in target.dataset && readScale(text) !== null;

/** Remove the scanner's text from a field. */
function restore(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  // React overrides the element's setter to track changes: use the prototype's.
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  own?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

type IsShort = (text: string, inField: boolean) => boolean;
const isCodeOutsideFields: IsShort = (text, inField) => !inField && isShortCode(codeOf(text));

/** The longest pause between a scanner's last character and its Tab, in milliseconds; a person takes longer. */
const TAB_FOLLOWS = 2 * QUICK;
/** The fewest characters of a burst that is a scan; a shorter one may be a person's shortcut. */
const SHORTEST = 20;

/** Keys that only people type, except a Tab that ends a scan. Characters before them are no part of a code. */
const PERSON_KEYS = /^(Tab|Shift\+Tab|Escape|Arrow)/;

/**
 * Distinguish a hardware scanner's typing from a person's: a scan is quick and long, and ends with Enter, Tab or a
 * silence.
 */
export class TypedCode {
  readonly #isShort: IsShort;
  /** All characters since the last silence, because the end of an interrupted code could be another line's code. */
  #text = "";
  /** The start of the last burst in `#text`. */
  #from = 0;
  #last = 0;
  #inField = false;

  constructor(isShort: IsShort = isCodeOutsideFields) {
    this.#isShort = isShort;
  }

  /** The number of characters in the current burst. */
  get length(): number {
    return this.#text.length - this.#from;
  }

  /**
   * The text of a single burst if it has the form of one of this product's codes: a scan, if nothing follows. Null for
   * a short code in a text field, because a person may type it there as quickly.
   */
  get whole(): string | null {
    const code = codeOf(this.#text);
    if (this.#from !== 0 || !hasShape(code)) return null;
    return this.#inField && isShortCode(code) ? null : this.#text;
  }

  /** Handle a key pressed at `at` (ms); return the text of a scan once its end key is pressed, else null. */
  press(key: string, at: number, inField = false): string | null {
    const pause = at - this.#last;
    this.#last = at;
    if (pause > SILENCE) this.forget();
    if (key === "Enter" || (key === "Tab" && pause <= TAB_FOLLOWS)) {
      const [text, burst] = [this.#text, this.#text.slice(this.#from)];
      this.forget();
      if (burst.length < SHORTEST && !this.#isShort(burst, inField)) return null;
      // In a field, a person may press Tab after any text: accept only a code.
      return key === "Enter" || !inField || hasShape(codeOf(text)) ? text : null;
    }
    if (PERSON_KEYS.test(key)) this.forget();
    if (key.length !== 1) return null;
    if (pause > QUICK) this.#from = this.#text.length;
    this.#inField = inField;
    this.#text += key;
    return null;
  }

  forget(): void {
    this.#text = "";
    this.#from = 0;
  }
}

/** For so many milliseconds after a character or a scan, Enter is the scanner's: some scanners send it twice. */
const ENTER_FOLLOWS = 1_000;
/** The pause in milliseconds after which earlier characters are no part of a code. */
const STRAY_EXPIRES = 10_000;

/**
 * Collect characters typed outside text fields: a slow scanner's, or the rest of an interrupted scan. Enter and the
 * space bar may press the focused element only if there are no such characters, none came within the last second, and
 * the key is not held down. A touch, Tab, an arrow key or Escape shows that a person is there and drops the characters.
 */
export class StrayKeys {
  #text = "";
  #last = -Infinity;
  /** Whether the last press of the space bar was prevented. */
  spaceTaken = false;

  forget(): void {
    this.#text = "";
  }

  /** Note that a scan ended at `at` (ms). */
  end(at: number): void {
    this.#text = "";
    this.#last = at;
  }

  /** Handle a key. Null: allow its default action. Else prevent it, and read a non-empty text as a code. */
  press(key: string, at: number, held = false): string | null {
    if (key === " ") {
      this.spaceTaken = held || this.#isScanners(at);
      return this.spaceTaken ? "" : null;
    }
    if (key === "Enter") {
      if (held) return "";
      if (!this.#isScanners(at)) return null;
      const text = this.#text;
      if (text !== "") this.end(at);
      return text;
    }
    if (key.length === 1) {
      this.#text = at - this.#last > STRAY_EXPIRES ? key : this.#text + key;
      this.#last = at;
    } else if (PERSON_KEYS.test(key)) this.forget();
    return null;
  }

  #isScanners(at: number): boolean {
    return this.#text !== "" || at - this.#last < ENTER_FOLLOWS;
  }
}

/** Scanned codes: a hardware scanner may type anywhere on the page. Contract, section 6. */
import { useEffect, useEffectEvent } from "react";

interface Hearing {
  /** Which texts are codes although they are short. */
  isShort?: (text: string) => boolean;
  /** Hears slow scanners too, and keeps their Enter from pressing what has the focus. */
  slowly?: boolean;
}

/** Hears what a scanner types, wherever the focus is. `hearing` must be the same object at every call. */
export function useScannerTyping(onCode: (code: string) => void, hearing?: Hearing): void {
  const hear = useEffectEvent(onCode);
  useEffect(() => {
    const typed = new TypedCode(hearing?.isShort);
    const stray = new StrayKeys();
    let before: { field: HTMLInputElement | HTMLTextAreaElement; value: string } | null = null;
    /** The Enter of a scan must not send the form or press the button that has the focus. */
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const hearStray = (event: KeyboardEvent) => {
      const found = stray.press(event.key, event.timeStamp, event.repeat);
      if (found === null) return;
      take(event);
      if (found !== "") hear(found);
    };
    const onKey = (event: KeyboardEvent) => {
      const code = typed.press(event.key, event.timeStamp);
      if (typed.length === 1) before = fieldOf(event.target);
      if (code !== null) {
        take(event);
        if (before !== null) restore(before.field, before.value);
        stray.end(event.timeStamp);
        hear(code);
      } else if (hearing?.slowly === true && fieldOf(event.target) === null) {
        if (!event.ctrlKey && !event.altKey && !event.metaKey) hearStray(event);
      }
    };
    // Some browsers press a button by the space bar only when it is let go.
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

/** What the scanner typed into a field was not meant for it. */
function restore(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  // React looks for changes behind the element's own setter.
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  own?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Between two keys of a scanner; nobody types 20 letters at this pace. */
export const QUICK = 60;
/** A scanner on a busy machine may stop for a moment; after so long, what was typed before is no part of its code. */
const APART = 500;
/** A code is longer; a short burst is somebody's shortcut. */
const SHORTEST = 20;

/** No scanner types these: what was typed before them is no part of a code. */
const A_PERSONS = /^(Tab|Escape|Arrow)/;

/** Tells what a hardware scanner types from what a person does: a scanner is quick, long, and ends with Enter. */
export class TypedCode {
  readonly #isShort: (text: string) => boolean;
  /** All since the last silence: the rest of a torn code could be the code of another line. */
  #text = "";
  /** Where in it the last burst began. */
  #from = 0;
  #last = 0;

  constructor(isShort: (text: string) => boolean = () => false) {
    this.#isShort = isShort;
  }

  /** How much of a burst has been typed. */
  get length(): number {
    return this.#text.length - this.#from;
  }

  /** Takes a key as it was pressed at `at` (ms); answers the code once it is complete. */
  press(key: string, at: number): string | null {
    const pause = at - this.#last;
    this.#last = at;
    if (pause > APART) this.forget();
    if (key === "Enter") {
      const [text, burst] = [this.#text, this.#text.slice(this.#from)];
      this.forget();
      return burst.length >= SHORTEST || this.#isShort(burst) ? text : null;
    }
    if (A_PERSONS.test(key)) this.forget();
    if (key.length !== 1) return null;
    if (pause > QUICK) this.#from = this.#text.length;
    this.#text += key;
    return null;
  }

  forget(): void {
    this.#text = "";
    this.#from = 0;
  }
}

/** As long after a character, or after a scan, Enter is still the scanner's: some end a code with two. */
const SCANNERS_OWN = 1_000;
/** What came so long before is no part of a code. */
const FORGOTTEN = 10_000;

/**
 * Characters typed outside any field: a slow scanner's, or what is left of a torn scan. Enter and the space bar press what has the
 * focus only where no such characters wait, none came a moment ago, and the key is not held down. A touch, Tab, an arrow or Escape
 * shows that a person is there: what waited is forgotten.
 */
export class StrayKeys {
  #text = "";
  #last = -Infinity;
  /** Whether the last press of the space bar was none. */
  spaceTaken = false;

  forget(): void {
    this.#text = "";
  }

  /** A scan ended here. */
  end(at: number): void {
    this.#text = "";
    this.#last = at;
  }

  /** Null: the key may do what it does. Else it must not; the text, where there is one, is to be read as a code. */
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
      this.#text = at - this.#last > FORGOTTEN ? key : this.#text + key;
      this.#last = at;
    } else if (A_PERSONS.test(key)) this.forget();
    return null;
  }

  #isScanners(at: number): boolean {
    return this.#text !== "" || at - this.#last < SCANNERS_OWN;
  }
}

/** Scanned codes: a hardware scanner may type anywhere on the page. */
import { useEffect, useEffectEvent } from "react";
import { codeOf, hasShape, isShortCode } from "./codes";

interface Hearing {
  /** Which texts are codes although they are short. Left out: the short code of a line, outside every field. */
  isShort?: IsShort;
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
    let silence: ReturnType<typeof setTimeout> | undefined;
    /** The Enter of a scan must not send the form or press the button that has the focus. */
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
    /** A scanner may be set to end its codes with nothing. */
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
      if (typed.whole !== null) silence = setTimeout(onSilence, APART);
      if (code !== null) {
        take(event);
        hearScan(code, event.timeStamp);
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

/** What the scanner typed into a field was not meant for it. */
function restore(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  // React looks for changes behind the element's own setter.
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  own?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

type IsShort = (text: string, inField: boolean) => boolean;

/** Between two keys of a scanner; nobody types 20 letters at this pace. */
export const QUICK = 60;
/** Between the last character of a scanner and its Tab: a person who leaves a field takes longer. */
const TAB_FOLLOWS = 2 * QUICK;
/** A scanner on a busy machine may stop for a moment; after so long, what was typed before is no part of its code. */
const APART = 500;
/** A code is longer; a short burst is somebody's shortcut. */
const SHORTEST = 20;

/** Keys of a person: what was typed before them is no part of a code, unless a scanner ends it with Tab. */
const A_PERSONS = /^(Tab|Shift\+Tab|Escape|Arrow)/;

/**
 * Tells what a hardware scanner types from what a person does: a scanner is quick and long, and ends with Enter, with Tab, or with
 * a silence.
 */
export class TypedCode {
  readonly #isShort: IsShort;
  /** All since the last silence: the rest of a torn code could be the code of another line. */
  #text = "";
  /** Where in it the last burst began. */
  #from = 0;
  #last = 0;
  #inField = false;

  constructor(isShort: IsShort = (text, inField) => !inField && isShortCode(codeOf(text))) {
    this.#isShort = isShort;
  }

  /** How much of a burst has been typed. */
  get length(): number {
    return this.#text.length - this.#from;
  }

  /**
   * What one burst has typed so far, where it has the shape of a code of this product: a scan, if nothing follows. Null in a field
   * for the short code of a line, which a person may type there as quickly.
   */
  get whole(): string | null {
    const code = codeOf(this.#text);
    if (this.#from !== 0 || !hasShape(code)) return null;
    return this.#inField && isShortCode(code) ? null : this.#text;
  }

  /** Takes a key as it was pressed at `at` (ms), in a text field or not; answers the code once it is complete. */
  press(key: string, at: number, inField = false): string | null {
    const pause = at - this.#last;
    this.#last = at;
    if (pause > APART) this.forget();
    if (key === "Enter" || (key === "Tab" && pause <= TAB_FOLLOWS)) {
      const [text, burst] = [this.#text, this.#text.slice(this.#from)];
      this.forget();
      if (burst.length < SHORTEST && !this.#isShort(burst, inField)) return null;
      // Tab leaves a field after any text; only a code is surely a scanner's there.
      return key === "Enter" || !inField || hasShape(codeOf(text)) ? text : null;
    }
    if (A_PERSONS.test(key)) this.forget();
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

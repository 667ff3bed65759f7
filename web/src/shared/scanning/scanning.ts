/** Scanned codes: a hardware scanner may type anywhere on the page. Contract, section 6. */
import { useEffect, useEffectEvent } from "react";

/** Hears what a scanner types, wherever the focus is. `isShort` says which texts are codes although they are short. */
export function useScannerTyping(
  onCode: (code: string) => void,
  isShort?: (text: string) => boolean,
): void {
  const hear = useEffectEvent(onCode);
  useEffect(() => {
    const typed = new TypedCode(isShort);
    let before: { field: HTMLInputElement | HTMLTextAreaElement; value: string } | null = null;
    const onKey = (event: KeyboardEvent) => {
      const code = typed.press(event.key, event.timeStamp);
      if (typed.length === 1) before = fieldOf(event.target);
      if (code === null) return;
      // The Enter of a scan must not send the form or press the button that has the focus.
      event.preventDefault();
      event.stopPropagation();
      if (before !== null) restore(before.field, before.value);
      hear(code);
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [isShort]);
}

function fieldOf(target: EventTarget | null) {
  const typable = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return typable ? { field: target, value: target.value } : null;
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
    if (pause > APART) this.#forget();
    if (key === "Enter") {
      const [text, burst] = [this.#text, this.#text.slice(this.#from)];
      this.#forget();
      return burst.length >= SHORTEST || this.#isShort(burst) ? text : null;
    }
    if (key.length !== 1) return null;
    if (pause > QUICK) this.#from = this.#text.length;
    this.#text += key;
    return null;
  }

  #forget(): void {
    this.#text = "";
    this.#from = 0;
  }
}

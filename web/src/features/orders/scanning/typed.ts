/** Tells what a hardware scanner types from what a person does: a scanner is quick, long, and ends with Enter. */

/** Between two keys of a scanner; nobody types 20 letters at this pace. */
export const QUICK = 60;
/** A code is longer; a short burst is somebody's shortcut. */
const SHORTEST = 20;

export class TypedCode {
  #text = "";
  #last = 0;

  /** How much of a burst has been typed. */
  get length(): number {
    return this.#text.length;
  }

  /** Takes a key as it was pressed at `at` (ms); answers the code once it is complete. */
  press(key: string, at: number): string | null {
    if (at - this.#last > QUICK) this.#text = "";
    this.#last = at;
    if (key === "Enter") {
      const code = this.#text;
      this.#text = "";
      return code.length >= SHORTEST ? code : null;
    }
    if (key.length === 1) this.#text += key;
    return null;
  }
}

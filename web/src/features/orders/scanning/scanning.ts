/** Scanned codes: a hardware scanner may type anywhere on the page, and its code opens the line. Contract, section 6. */
import { useCallback, useEffect } from "react";
import { useNavigate } from "react-router";
import type { components } from "@/contract/openapi";
import { api, call } from "@/shared/http/client";
import { toastError } from "@/shared/ui/errors";
import { scannedPath } from "../paths";

export function useScannerTyping(): void {
  const open = useScan();
  useEffect(() => {
    const typed = new TypedCode();
    let before: { field: HTMLInputElement | HTMLTextAreaElement; value: string } | null = null;
    const onKey = (event: KeyboardEvent) => {
      const code = typed.press(event.key, event.timeStamp);
      if (typed.length === 1) before = fieldOf(event.target);
      if (code === null) return;
      // The Enter of a scan must not send the form or press the button that has the focus.
      event.preventDefault();
      event.stopPropagation();
      if (before !== null) restore(before.field, before.value);
      void open(code);
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [open]);
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
/** A code is longer; a short burst is somebody's shortcut. */
const SHORTEST = 20;

/** Tells what a hardware scanner types from what a person does: a scanner is quick, long, and ends with Enter. */
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

/** Opens the line of a scanned code, or says why not. */
export function useScan(): (code: string) => Promise<boolean> {
  const navigate = useNavigate();
  return useCallback(
    async (code) => {
      try {
        const { salesOrderId, position } = await scan(code);
        await navigate(scannedPath(salesOrderId, position));
        return true;
      } catch (reason) {
        toastError(reason);
        return false;
      }
    },
    [navigate],
  );
}

export type Scanned = components["schemas"]["ScanOut"];

/** 422 `unknown_code` for what is no code of this workshop. */
export function scan(code: string): Promise<Scanned> {
  return call(api.POST("/api/scan", { body: { code } }));
}

/** A hardware scanner may type anywhere on the page: its code opens the line. */
import { useEffect } from "react";
import { TypedCode } from "./typed";
import { useScan } from "./useScan";

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

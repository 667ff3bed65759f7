/** Set the focus when a page opens, and when the focused element is removed. */
import { useEffect, useRef, type RefObject } from "react";

/** Whether the pointer is fine, as a mouse. Touch screens get no initial focus, because it would open the keyboard. */
export const isFine = (): boolean => window.matchMedia("(pointer: fine)").matches;

export function focusFine(id: string): void {
  if (!isFine()) return;
  const field = document.getElementById(id);
  const form = field?.matches(":disabled") ? field.closest("form") : null;
  (form?.querySelector<HTMLElement>("input:enabled, textarea:enabled") ?? field)?.focus();
}

/** Focus the field of this id when the page opens, or the first field of its form if that one is disabled. */
export function useStartFocus(id: string): void {
  useEffect(() => focusFine(id), [id]);
}

const BUTTONS = 'button:enabled:not([tabindex="-1"]), a[href]';

/**
 * Keep the focus among the buttons of an element: if the focused button is removed, focus the button now in its place,
 * else the last one.
 */
export function useKeptFocus<E extends HTMLElement>(): RefObject<E | null> {
  const box = useRef<E>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const buttons = () => [...element.querySelectorAll<HTMLElement>(BUTTONS)];
    let held: HTMLElement | undefined;
    let place = -1;
    const onFocus = () => {
      place = buttons().findIndex((button) => button === document.activeElement);
      held = buttons()[place];
    };
    const observer = new MutationObserver(() => {
      const isLost = document.activeElement === document.body;
      if (held === undefined || element.contains(held) || !isLost) return;
      held = undefined;
      (buttons()[place] ?? buttons().at(-1))?.focus();
    });
    element.addEventListener("focusin", onFocus);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, []);
  return box;
}

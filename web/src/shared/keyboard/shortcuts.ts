/**
 * Keyboard shortcuts. Components declare them, one listener runs them, `?` lists them, and the
 * command palette offers those that can be run now.
 */
import { useEffect, useEffectEvent } from "react";
import type keyboard from "@/locales/es/keyboard.json";
import { external } from "@/shared/external";
import { SEND_KEYS } from "./sendKeys";
import { isVisible } from "@/shared/hooks/focus";
import { QUICK, SILENCE } from "./pace";

export interface Shortcut {
  /** The value of `KeyboardEvent.key`: "n", "?", "ArrowDown". Without it, only the command palette offers the action. */
  key?: string;
  /** The action: a key of `does` in keyboard.json. */
  does: keyof (typeof keyboard)["does"];
  /** The selector of elements that must have the focus; without it, any element but text fields. */
  from?: string;
  /** Runs the action. Without it, the focused element handles the key, and the shortcut is only listed. */
  press?: () => void;
}

const declared = external<readonly Shortcut[]>([]);

/** Add a shortcut; the returned function removes it. Of several with the same key, the first one runs. */
export function declare(shortcut: Shortcut): () => void {
  declared.set([...declared.get(), shortcut]);
  return () => declared.set(declared.get().filter((each) => each !== shortcut));
}

/** Declare a shortcut while the component is mounted and `is` is true. */
export function useShortcut(
  { key, does, from, press }: Shortcut,
  { is = true }: { is?: boolean } = {},
): void {
  const onPress = useEffectEvent(() => press?.());
  const isPressed = press !== undefined;
  useEffect(() => {
    if (!is) return undefined;
    return declare({
      does,
      ...(key === undefined ? {} : { key }),
      ...(from === undefined ? {} : { from }),
      ...(isPressed ? { press: () => onPress() } : {}),
    });
  }, [is, key, does, from, isPressed]);
}

/** The active shortcuts, each action once. */
export function useShortcuts(): readonly Shortcut[] {
  const all = declared.use();
  return all.filter((each, place) => all.findIndex(({ does }) => does === each.does) === place);
}

const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [role="combobox"]';
export const isInField = (target: EventTarget | null) =>
  target instanceof Element && target.closest(TYPED_INTO) !== null;
/** Elements that handle all keys while they are open. */
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether a dialog, a drawer or a menu is open over the page. `by`: the selector of the elements that count. */
export const isCovered = (by = OVER_THE_PAGE): boolean =>
  [...document.querySelectorAll(by)].some(isVisible);

const PERSON_KEYS = /^(Arrow|Escape$)/;

/** The shortcut of a key for the element that has the focus. */
function meant({ key: typed, shiftKey, target }: KeyboardEvent): Shortcut | undefined {
  if (!(target instanceof Element) || isCovered()) return undefined;
  // Caps Lock changes no shortcut.
  const key = shiftKey || typed.length > 1 ? typed : typed.toLowerCase();
  return declared.get().find((each) => {
    if (each.key !== key || each.press === undefined) return false;
    return each.from === undefined ? !isInField(target) : target.matches(each.from);
  });
}

/**
 * Run the page's shortcuts. A letter runs only alone: after a silence, because it may belong to a scanned or typed text,
 * and before a pause, because it may be the first one of a scanner.
 */
export function useShortcutKeys(): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    /** Until this time a letter belongs to the same text as the letter before it. */
    let textUntil = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      const { key, timeStamp } = event;
      clearTimeout(waiting);
      const isLetter = key.length === 1;
      const isInText = isLetter && timeStamp < textUntil;
      if (isLetter) textUntil = timeStamp + (isInField(event.target) ? QUICK : SILENCE);
      // Scanners press no such keys, so the next letter is a person's.
      if (PERSON_KEYS.test(key) || event.ctrlKey || event.metaKey) textUntil = -Infinity;
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isInText) return;
      const press = meant(event)?.press;
      if (press === undefined) return;
      event.preventDefault();
      if (isLetter) waiting = setTimeout(press, QUICK);
      else press();
    };
    window.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(waiting);
      window.removeEventListener("keydown", onKey);
    };
  }, []);
}

const SHOWN: Record<string, string> = {
  ArrowDown: "↑ ↓",
  Escape: "Esc",
  " ": "␣",
  "Control+Enter": SEND_KEYS,
  "Control+z": SEND_KEYS.replace("Enter", "Z"),
  "Control+k": SEND_KEYS.replace("Enter", "K"),
};

export const shownKey = (key: string): string => SHOWN[key] ?? key;

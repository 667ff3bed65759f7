/** The keys of a page: its parts declare what they do, one listener presses them, and `?` lists those that work. */
import { useEffect, useEffectEvent } from "react";
import type keyboard from "@/locales/es/keyboard.json";
import { external } from "@/shared/external";
import { SEND_KEYS } from "@/shared/form/sendKeys";
import { QUICK } from "@/shared/scanning/scanning";

export interface Shortcut {
  /** As browsers call it (`KeyboardEvent.key`): "n", "?", "ArrowDown". */
  key: string;
  /** What it does: a key of keyboard.json `does`. */
  does: keyof (typeof keyboard)["does"];
  /** What has to have the focus, as a selector; without it, anything that is not typed into. */
  from?: string;
  /** Without it, what has the focus takes the key itself, and it is only listed here. */
  press?: () => void;
}

const declared = external<readonly Shortcut[]>([]);

/** Adds a shortcut; the answer takes it away again. Of several with one key, the first one gets it. */
export function declare(shortcut: Shortcut): () => void {
  declared.set([...declared.get(), shortcut]);
  return () => declared.set(declared.get().filter((each) => each !== shortcut));
}

/** What a key does while this part is on the page; `is` false: nothing for now. */
export function useShortcut(
  { key, does, from, press }: Shortcut,
  { is = true }: { is?: boolean } = {},
): void {
  const onPress = useEffectEvent(() => press?.());
  const isPressed = press !== undefined;
  useEffect(() => {
    if (!is) return undefined;
    return declare({
      key,
      does,
      ...(from === undefined ? {} : { from }),
      ...(isPressed ? { press: () => onPress() } : {}),
    });
  }, [is, key, does, from, isPressed]);
}

/** What is possible now, each thing once. */
export function useShortcuts(): readonly Shortcut[] {
  const all = declared.use();
  return all.filter((each, place) => all.findIndex(({ does }) => does === each.does) === place);
}

const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [role="combobox"]';
/** What takes keys for itself while it is open. */
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]';

function isShown(element: Element): boolean {
  const { checkVisibility } = element as { checkVisibility?: () => boolean };
  return checkVisibility === undefined || checkVisibility.call(element);
}

/** Whether a dialog, a drawer or a menu stands over the page. */
export const isCovered = (): boolean => [...document.querySelectorAll(OVER_THE_PAGE)].some(isShown);

/** The shortcut that a key means where it was pressed. */
function meant({ key, target }: KeyboardEvent): Shortcut | undefined {
  if (!(target instanceof Element) || isCovered()) return undefined;
  return declared.get().find((each) => {
    if (each.key !== key || each.press === undefined) return false;
    return each.from === undefined
      ? target.closest(TYPED_INTO) === null
      : target.matches(each.from);
  });
}

/** Takes the page's keys, wherever the focus is. A letter counts once it is plain that no scanner types it. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let last = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      const { key, timeStamp } = event;
      clearTimeout(waiting);
      const isLetter = key.length === 1;
      const isScanned = isLetter && timeStamp - last < QUICK;
      // No scanner types an arrow: a person is there.
      if (isLetter) last = timeStamp;
      else if (key.startsWith("Arrow")) last = -Infinity;
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isScanned) return;
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
  "Control+k": SEND_KEYS.replace("Enter", "K"),
};

/** How a key is written on screen. */
export const shownKey = (key: string): string => SHOWN[key] ?? key;

/** The rule of focus for all pages, drawers and dialogs: it starts where the user types, and is never lost. */
import { useEffect } from "react";
import { isHand } from "./browser";

const FIELDS = "input:enabled, textarea:enabled";

/** Whether the pointer is fine, as a mouse. Touch screens get no initial focus, because it would open the keyboard. */
export const isFine = (): boolean => window.matchMedia("(pointer: fine)").matches;

/** Focus the field of this id when the page opens, or the first field of its form if that one is disabled. */
export function useStartFocus(id: string): void {
  useEffect(() => {
    if (!isFine()) return;
    const field = document.getElementById(id);
    const form = field?.matches(":disabled") ? field.closest("form") : null;
    (form?.querySelector<HTMLElement>(FIELDS) ?? field)?.focus();
  }, [id]);
}

export function isVisible(element: Element): boolean {
  // jsdom has no layout.
  const { checkVisibility } = element as { checkVisibility?: () => boolean };
  return checkVisibility === undefined || checkVisibility.call(element);
}

/**
 * The parts of a page. The focus stays in its part; if the whole part is gone, it goes to the part
 * that had it before.
 */
const PARTS = 'main, .ob-navbar, [role="dialog"], [role="alertdialog"]';
const BUTTONS = "a[href], button:enabled, tr[data-row]";

/**
 * The place of an element. The focus may go to the element, or, once it is gone, to what is then in
 * its place.
 */
interface Place {
  part: Element;
  element: HTMLElement;
  /**
   * The element's ancestors up to the part, nearest first, each with the index of the child that
   * leads to the element.
   */
  path: { parent: Element; index: number }[];
}

function placeOf(element: HTMLElement, part: Element): Place {
  const path: Place["path"] = [];
  for (let child: Element = element; child !== part; child = path.at(-1)!.parent) {
    const parent = child.parentElement!;
    path.push({ parent, index: [...parent.children].indexOf(child) });
  }
  return { part, element, path };
}

const isGone = (element: Element) =>
  !element.isConnected || element.matches(":disabled") || !isVisible(element);

/**
 * Whether the focus may move to an element without the user. Not to a red button, and not to a
 * date, which would open its calendar.
 */
function isLanding(element: Element): element is HTMLElement {
  if (element.matches(".ant-btn-dangerous, .ant-picker input")) return false;
  const isReached = element.getAttribute("tabindex") !== "-1" || element.matches("tr");
  return isReached && isVisible(element);
}

/**
 * Return the element to focus in a place: the element itself, else one after it, else one before
 * it, else the part.
 */
function landing({ part, element, path }: Place): HTMLElement {
  if (!isGone(element)) return element;
  // On touch screens a field would open the keyboard.
  const selector = isFine() ? `${BUTTONS}, ${FIELDS}` : BUTTONS;
  const within = (each: Element) =>
    [...(each.matches(selector) ? [each] : []), ...each.querySelectorAll(selector)].find(isLanding);
  for (const { parent, index } of path) {
    const children = parent.isConnected ? [...parent.children] : [];
    for (const child of [...children.slice(index), ...children.slice(0, index).toReversed()]) {
      const found = within(child);
      if (found !== undefined) return found;
    }
  }
  return part as HTMLElement;
}

/**
 * If the focused element is removed, hidden or disabled, focus what is then in its place: the next row, the next button.
 * Used once, by the frame of all pages.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    // After a sign-in or a reload nothing has the focus, and keys would go nowhere.
    if (document.activeElement === document.body) {
      document.querySelector("main")?.focus({ preventScroll: true });
    }
    /** The last place in each part, the newest last. */
    let places: Place[] = [];
    let last: Element | null = null;
    const settle = () => {
      if (document.activeElement !== document.body || last === null) return;
      if (!isGone(last)) return;
      const place = places.findLast(({ part }) => !isGone(part));
      const next = place === undefined ? document.querySelector("main") : landing(place);
      // On a phone the button may be far from what the user looks at, such as the end of a page that still loads.
      next?.focus({ preventScroll: isHand() || next.matches("main") });
    };
    // Two frames later, because a dialog that closes returns the focus itself, after one frame.
    const check = () => requestAnimationFrame(() => requestAnimationFrame(settle));
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      const part = target.closest(PARTS);
      if (part === null) return;
      places = places.filter((each) => each.part !== part && each.part.isConnected);
      places.push(placeOf(target, part));
    };
    // A click outside of all controls takes the focus away on purpose.
    const onPointer = () => {
      last = null;
    };
    // Browsers do not report the focus that a removed element loses.
    const observer = new MutationObserver(() => {
      if (last?.isConnected === false) check();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", check);
    document.addEventListener("pointerdown", onPointer, { capture: true });
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", check);
      document.removeEventListener("pointerdown", onPointer, { capture: true });
    };
  }, []);
}

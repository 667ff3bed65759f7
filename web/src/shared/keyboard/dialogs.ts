/**
 * The rule of keys for all dialogs and drawers: they begin on their first field or their main button, and Ctrl+Enter
 * presses the main button, wherever the focus is inside them.
 */
import { useEffect } from "react";
import { isFine, isVisible } from "@/shared/hooks/focus";
import { acceptDate, completes, isOpenList, isSendKey } from "./sendKeys";

const DIALOG = '.ant-drawer, [role="dialog"], [role="alertdialog"]';
const CLOSERS = ".ant-modal-close, .ant-drawer-close";
/** What Ant Design focuses: a dialog's first button, which closes it, or the whole drawer. */
const FIRST = `${CLOSERS}, .ant-drawer`;
/** Buttons that are blue because they are chosen are not the dialog's main button. */
const MAIN = ".ant-btn-primary:enabled:not([aria-pressed])";
const FIELDS =
  'input:enabled:not([type="hidden"], [type="file"]), textarea:enabled:not([readonly])';
const OTHERS = [
  ":is(.ant-modal-footer, .ant-drawer-footer) button:enabled",
  'button:enabled, a[href], [tabindex="0"]',
];

const isStart = (element: HTMLElement): boolean =>
  isVisible(element) &&
  !element.matches(`${CLOSERS}, .ant-btn-dangerous`) &&
  // A date would open its calendar over the other fields.
  element.closest(".ant-picker") === null &&
  (!element.matches("[readonly]") || element.matches('[role="combobox"]'));

const firstIn = (dialog: Element, selector: string): HTMLElement | undefined =>
  [...dialog.querySelectorAll<HTMLElement>(selector)].find(isStart);

/** On touch screens a field would open the keyboard, so the main button comes first there. */
const startIn = (dialog: Element): HTMLElement | undefined =>
  firstIn(dialog, isFine() ? `${FIELDS}, ${MAIN}` : MAIN);

/** Focus where a dialog begins. Without a field or a main button, wait for one that is shown later. */
function begin(dialog: HTMLElement): void {
  let last: HTMLElement | undefined;
  const isBegun = (): boolean => {
    const start = startIn(dialog);
    const next = start ?? OTHERS.map((each) => firstIn(dialog, each)).find(Boolean) ?? dialog;
    if (next !== last) next.focus({ preventScroll: true });
    last = next;
    return start !== undefined;
  };
  if (isBegun()) return;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== last || isBegun()) observer.disconnect();
  });
  // A drawer is not visible before its motion begins.
  const attributeFilter = ["class", "style"];
  observer.observe(dialog, { childList: true, subtree: true, attributeFilter });
}

/** Drawers that have begun. Ant Design focuses a new drawer twice: its first button, and then all of it. */
const begun = new WeakSet<Element>();

function onFocus({ target, relatedTarget }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || !target.matches(FIRST)) return;
  const dialog = target.closest<HTMLElement>(DIALOG);
  if (dialog === null) return;
  const isInside = relatedTarget instanceof Node && dialog.contains(relatedTarget);
  if (isInside && (target !== dialog || begun.has(dialog))) return;
  if (target === dialog) begun.add(dialog);
  begin(dialog);
}

/** The keys of a form inside the dialog have already handled its own Ctrl+Enter. */
function onKey(event: KeyboardEvent): void {
  const { target } = event;
  if (event.defaultPrevented || !isSendKey(event) || !(target instanceof HTMLElement)) return;
  const dialog = target.closest(DIALOG);
  if (dialog === null || isOpenList(target)) return;
  // The focused button must not be pressed too.
  event.preventDefault();
  if (event.repeat) return;
  const press = () => [...dialog.querySelectorAll<HTMLElement>(MAIN)].findLast(isVisible)?.click();
  if (completes(target)) acceptDate(target, press);
  else press();
}

/** Used once, by the frame of all pages. */
export function useDialogs(): void {
  useEffect(() => {
    document.addEventListener("focusin", onFocus);
    window.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("focusin", onFocus);
      window.removeEventListener("keydown", onKey);
    };
  }, []);
}

/** The keys that send a form: Ctrl+Enter (⌘+Enter) always, Enter alone if the form has at most three fields. */
import type { KeyboardEvent } from "react";

const ENTER_SENDS_UP_TO = 3;
const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea, select, [role="switch"]';
/** Groups may contain more fields than are rendered, such as a tree of permissions before it is loaded. */
const GROUPS = '[role="group"], fieldset';
/** Fields that complete a typed date when the user leaves them. */
const COMPLETING = ".ant-picker, [data-completes]";
/** A list that takes several values. */
const SEVERAL = ".ant-select-multiple";

/** The name of the keys on this machine. */
export const SEND_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘+Enter" : "Ctrl+Enter";

/** The props of a form element whose keys call `send`. */
export function sendKeys(send: () => void) {
  return {
    /** Runs before the fields' handlers, because Ctrl+Enter would open a closed list. */
    onKeyDownCapture(event: KeyboardEvent<HTMLElement>) {
      if (!isEnter(event) || !isSendKey(event)) return;
      const target = insideTarget(event);
      // Leave the key to a dialog rendered outside the form, and to an open list.
      if (target === null) return;
      if (isOpenList(target)) {
        if (target.closest(SEVERAL) === null) return;
        // The list stays open after it takes an option. So send only after it has taken the option
        // that the user meant (`Select.tsx`).
        event.preventDefault();
        if (!event.repeat) setTimeout(send);
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      if (completes(target)) acceptDate(target, send);
      else send();
    },
    /** Runs after the fields' handlers, which accept a date or choose an option. */
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const target = insideTarget(event);
      if (!isEnter(event) || !(target instanceof HTMLInputElement)) return;
      // The browser would send the form, even an incomplete one.
      event.preventDefault();
      const chooses = target.closest(".ant-select, .ant-picker") !== null;
      if (!chooses && !event.repeat && fieldsIn(event.currentTarget) <= ENTER_SENDS_UP_TO) send();
    },
  };
}

export function fieldsIn(form: HTMLElement): number {
  const groups = form.querySelectorAll(GROUPS).length;
  return form.querySelectorAll(FIELDS).length + groups * ENTER_SENDS_UP_TO;
}

function isEnter(event: KeyboardEvent<HTMLElement>): boolean {
  return event.key === "Enter" && !event.nativeEvent.isComposing;
}

/** Whether these keys send a form. */
export const isSendKey = (event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">): boolean =>
  event.key === "Enter" && (event.ctrlKey || event.metaKey);

/** Whether a field completes a typed date when the user leaves it. */
export const completes = (field: HTMLElement): boolean => field.closest(COMPLETING) !== null;

function insideTarget({ target, currentTarget }: KeyboardEvent<HTMLElement>): HTMLElement | null {
  return target instanceof HTMLElement && currentTarget.contains(target) ? target : null;
}

/** Whether a field's list is open. A calendar does not count: it is open while the user types a date. */
export function isOpenList(field: HTMLElement): boolean {
  return field.closest(".ant-picker") === null && field.getAttribute("aria-expanded") === "true";
}

/**
 * Leave a date field, so that it accepts the typed date, and then send. A field with a calendar
 * does not get the focus back, because the focus would open the calendar.
 */
export function acceptDate(field: HTMLElement, send: () => void): void {
  field.blur();
  if (field.closest(".ant-picker") === null) field.focus();
  setTimeout(send);
}

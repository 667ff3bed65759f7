/** Which keys send a form: Ctrl+Enter (⌘+Enter) always, Enter alone where the form has at most three fields. */
import type { KeyboardEvent } from "react";

const ENTER_SENDS_UP_TO = 3;
const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea, select, [role="switch"]';
/** Holds more fields than are in sight now: a tree of permissions, before it is loaded. */
const GROUPS = '[role="group"], fieldset';

/** What the keys are called on this machine. */
export const SEND_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘+Enter" : "Ctrl+Enter";

/** The props of a form element whose keys call `send`. */
export function sendKeys(send: () => void) {
  return {
    /** Before the fields: a closed list would open on Ctrl+Enter. */
    onKeyDownCapture(event: KeyboardEvent<HTMLElement>) {
      if (!isEnter(event) || !(event.ctrlKey || event.metaKey)) return;
      const target = insideTarget(event);
      // An open list takes the key for itself, and so does a dialog drawn elsewhere.
      if (target === null || isOpenList(target)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      if (target.closest(".ant-picker") === null) send();
      else acceptDate(target, send);
    },
    /** After the fields: a date is accepted, an option chosen. */
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const target = insideTarget(event);
      if (!isEnter(event) || !(target instanceof HTMLInputElement)) return;
      // The browser would send the form, whatever is missing in it.
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

function insideTarget({ target, currentTarget }: KeyboardEvent<HTMLElement>): HTMLElement | null {
  return target instanceof HTMLElement && currentTarget.contains(target) ? target : null;
}

/** The calendar of a date is open while one types in it, and no such list. */
function isOpenList(field: HTMLElement): boolean {
  return field.closest(".ant-picker") === null && field.getAttribute("aria-expanded") === "true";
}

/** A typed date counts once its field is left; the form is sent with what then stands in it. */
function acceptDate(field: HTMLElement, send: () => void): void {
  field.blur();
  setTimeout(send);
}

/**
 * The keys of a form. They send it, and change nothing while it is being sent, because it may close
 * with the answer.
 */
import { useEffectEvent, useLayoutEffect, type KeyboardEvent, type SyntheticEvent } from "react";
import { sendKeys } from "@/shared/keyboard/sendKeys";

const TEXT_FIELDS = "input:not([readonly]), textarea:not([readonly])";
/** Keys that change fields without text: checkboxes, lists, rows. */
const CHANGING_KEYS = /^( |Enter|Backspace|Delete|Arrow.*)$/;
const REFUSES_CHANGES = {
  onKeyDownCapture(event: KeyboardEvent<HTMLElement>) {
    if (CHANGING_KEYS.test(event.key)) refuse(event);
  },
  onPasteCapture: refuse,
};

/**
 * Return the props of the form element that `form` returns. While it is busy, the pointer changes nothing either
 * (`form.css`). Fields become read-only rather than disabled, to keep the focus: a typed key must not act as a shortcut
 * of the page.
 */
export function useFormKeys(
  form: () => HTMLElement | null | undefined,
  busy: boolean,
  send: () => void,
) {
  const element = useEffectEvent(form);
  useLayoutEffect(() => {
    if (!busy) return undefined;
    const fields = [
      ...(element()?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS) ?? []),
    ];
    for (const field of fields) field.readOnly = true;
    return () => {
      for (const field of fields) field.readOnly = false;
    };
  }, [busy]);
  return { ...(busy ? REFUSES_CHANGES : sendKeys(send)), "aria-busy": busy };
}

/** Prevent a change, except in the bar with the form's buttons, which keep their keys. */
function refuse(event: SyntheticEvent): void {
  if (event.target instanceof Element && event.target.closest(".ob-form-bar") !== null) return;
  event.preventDefault();
  event.stopPropagation();
}

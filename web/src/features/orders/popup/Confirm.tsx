/** Second step of a popup: the question, its fields, Cancel and Accept. */
import Button from "antd/es/button";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SEND_KEYS } from "@/shared/keyboard/sendKeys";
import { useFormKeys } from "@/shared/form/useFormKeys";
import "@/shared/form/form.css";

interface Props {
  question: ReactNode;
  children?: ReactNode;
  busy: boolean;
  /** The action cannot be undone. */
  final?: boolean;
  /** Text of the button, with the number: "Move 18 pieces out of Casting". */
  accept?: string;
  /** A field is invalid, so the form cannot be sent. */
  wrong?: boolean;
  /** Why the last attempt failed. */
  failure: string | null;
  onCancel: () => void;
  onAccept: () => void;
}

export function Confirm(props: Props) {
  const { question, children, busy, final = false, accept, wrong = false, failure } = props;
  const { t } = useTranslation(["shared", "forms"]);
  const form = useRef<HTMLFormElement>(null);
  const firstButton = useRef<HTMLButtonElement>(null);
  // The previous step is gone, and the focus with it. Focus a weight, which a scale may type, or the
  // answer: Cancel if the action is final, else Accept; while Accept is disabled, the first field.
  useEffect(() => {
    const weight = form.current?.querySelector<HTMLElement>('[data-weight][aria-required="true"]');
    const button = firstButton.current;
    const field = form.current?.querySelector<HTMLElement>("input:not([type=file]), textarea");
    (weight ?? (button?.disabled === true ? field : button))?.focus();
  }, []);
  function send() {
    if (!wrong && !busy) props.onAccept();
  }
  const keys = useFormKeys(() => form.current, busy, send);
  return (
    <form
      ref={form}
      className="ob-stack ob-stack--wide ob-confirm"
      {...keys}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="ob-strong ob-breaks ob-confirm__question">{question}</p>
      {children}
      {failure !== null && <Failure text={failure} />}
      <div className="ob-bar ob-confirm__buttons">
        <Button
          {...(final ? { ref: firstButton } : {})}
          size="large"
          disabled={busy}
          onClick={props.onCancel}
        >
          {t("action.cancel")}
        </Button>
        <Button
          {...(final ? {} : { ref: firstButton })}
          size="large"
          type="primary"
          htmlType="submit"
          title={t("forms:sendKeys", { keys: SEND_KEYS })}
          danger={final}
          disabled={wrong}
          loading={busy}
        >
          {accept ?? t("action.accept")}
        </Button>
      </div>
    </form>
  );
}

/** Show why it failed inside the popup, beside the choices and typed values. */
export function Failure({ text }: { text: string }) {
  return (
    <p className="ob-note ob-note--danger" role="alert">
      {text}
    </p>
  );
}

/** The second step: the question, what goes with it, Cancel and Accept. */
import Button from "antd/es/button";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SEND_KEYS } from "@/shared/form/sendKeys";
import { useFormKeys } from "@/shared/form/useFormKeys";
import "@/shared/form/form.css";

interface Props {
  question: ReactNode;
  children?: ReactNode;
  busy: boolean;
  /** There is no way back from it. */
  final?: boolean;
  /** What the button does, with its number: "Move 18 pieces out of Casting". */
  accept?: string;
  /** Something in it cannot be taken. */
  wrong?: boolean;
  /** Why it failed the last time. */
  failure: string | null;
  onCancel: () => void;
  onAccept: () => void;
}

export function Confirm(props: Props) {
  const { question, children, busy, final = false, accept, wrong = false, failure } = props;
  const { t } = useTranslation(["shared", "forms"]);
  const firstButton = useRef<HTMLButtonElement>(null);
  // The step before is gone, and the focus with it: by keyboard the answer is the next thing, No where Yes is for good.
  useEffect(() => firstButton.current?.focus(), []);
  function send() {
    if (!wrong && !busy) props.onAccept();
  }
  const form = useRef<HTMLFormElement>(null);
  const keys = useFormKeys(() => form.current, busy, send);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that send a form, from any of its fields
    <form
      ref={form}
      className="ob-confirm"
      {...keys}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p className="ob-confirm__question">{question}</p>
      {children}
      {failure !== null && <Failure text={failure} />}
      <div className="ob-confirm__buttons">
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

/** Said where it was pressed, and it stays: what was chosen and typed stands beside it. */
export function Failure({ text }: { text: string }) {
  return (
    <p className="ob-confirm__failure" role="alert">
      {text}
    </p>
  );
}

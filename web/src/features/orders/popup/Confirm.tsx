/** The second step: the question, what goes with it, Cancel and Accept. */
import Button from "antd/es/button";
import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  question: ReactNode;
  children?: ReactNode;
  busy: boolean;
  /** There is no way back from it. */
  final?: boolean;
  onCancel: () => void;
  onAccept: () => void;
}

export function Confirm({ question, children, busy, final = false, onCancel, onAccept }: Props) {
  const { t } = useTranslation("shared");
  const acceptButton = useRef<HTMLButtonElement>(null);
  // The step before is gone, and the focus with it: by keyboard the answer is the next thing.
  useEffect(() => acceptButton.current?.focus(), []);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    onAccept();
  }
  return (
    <form className="ob-confirm" onSubmit={onSubmit}>
      <p className="ob-confirm__question">{question}</p>
      {children}
      <div className="ob-confirm__buttons">
        <Button size="large" disabled={busy} onClick={onCancel}>
          {t("action.cancel")}
        </Button>
        <Button
          ref={acceptButton}
          size="large"
          type="primary"
          htmlType="submit"
          danger={final}
          loading={busy}
        >
          {t("action.accept")}
        </Button>
      </div>
    </form>
  );
}

/** Ask for confirmation before paying: the people, the amount and the pieces. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Person } from "../basket";
import { usePayWords } from "./usePayWords";

interface Props {
  total: number | null;
  /** Who gets the money: the payee, or the people who are owed for the pieces. */
  to: readonly { name: string }[];
  /** The people who are owed for the pieces. */
  people: readonly Person[];
  busy?: boolean;
  onAnswer: (yes: boolean) => void;
  /** Shown above the people. */
  children?: ReactNode;
}

export function PayQuestion({ total, to, people, busy = false, onAnswer, children }: Props) {
  const { t } = useTranslation("piecework");
  const { amountOf, payTo } = usePayWords();
  return (
    <Modal
      open
      centered
      closable={false}
      width={480}
      title={payTo("question", total, to)}
      onCancel={() => onAnswer(false)}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>{t("pay.no")}</Button>
          <Button type="primary" loading={busy} onClick={() => onAnswer(true)}>
            {payTo("yes", total, to)}
          </Button>
        </>
      }
    >
      {children}
      <ul className="ob-pay-people">
        {people.map(({ id, name, pieces, total: own }) => (
          <li key={id} className="ob-words">
            <strong>{name}</strong>
            <span className="ob-quiet">
              {pieces === null ? t("none") : t("pieces", { count: pieces })}
            </span>
            <span className="ob-nowrap ob-last">{amountOf(own)}</span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}

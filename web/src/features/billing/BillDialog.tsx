/**
 * Ask the user to confirm that a bill is issued. It then gets its number and can only be canceled.
 */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { Children, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { orNothing, type Typed } from "@/shared/format/typedNumber";
import { useFocusBack } from "@/shared/hooks/browser";
import type { ApiError } from "@/shared/http/ApiError";
import { errorText } from "@/shared/ui/errors";
import { Money } from "@/shared/ui/Facts";
import "./billing.css";

interface Props {
  bill: {
    customerName: string;
    lines: readonly { quantity: Typed }[];
    total: number | null;
    currency: string;
  };
  busy: boolean;
  refusal?: ApiError | null;
  onAccept: () => void;
  onClose: () => void;
  /** Fields that are still missing. */
  children?: ReactNode;
}

export function BillDialog({ bill, busy, refusal = null, onAccept, onClose, children }: Props) {
  const { t } = useTranslation(["billing", "shared"]);
  useFocusBack();
  const pieces = bill.lines.reduce((sum, { quantity }) => sum + orNothing(quantity), 0);
  return (
    <Modal
      open
      centered
      width={460}
      title={t("billing.title")}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t("shared:action.cancel")}
        </Button>,
        <Button
          key="accept"
          type="primary"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- else the x would have the focus, and Enter would close
          autoFocus={Children.toArray(children).length === 0}
          loading={busy}
          onClick={onAccept}
        >
          {t("billing.accept")}
        </Button>,
      ]}
    >
      <p className="ob-words ob-apart ob-note ob-below ob-bill-dialog__what">
        <strong>{bill.customerName}</strong>
        <span>
          {t("linesCount", { count: bill.lines.length })} · {t("pieces", { count: pieces })}
        </span>
        <strong>
          <Money amount={bill.total} currency={bill.currency} />
        </strong>
      </p>
      <p>{t("billing.text")}</p>
      {children}
      {refusal !== null && (
        <p className="ob-note ob-note--danger ob-above" role="alert">
          {errorText(refusal)}
        </p>
      )}
    </Modal>
  );
}

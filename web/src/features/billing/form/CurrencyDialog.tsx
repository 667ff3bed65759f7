/**
 * Ask whether to keep the old currency, or to empty or relabel the amounts that were typed in it.
 */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import "../billing.css";

interface Props {
  from: string;
  to: string;
  /** Number of typed amounts. */
  count: number;
  onKeep: () => void;
  onEmpty: () => void;
  onRelabel: () => void;
}

export function CurrencyDialog({ from, to, count, onKeep, onEmpty, onRelabel }: Props) {
  const { t } = useTranslation(["billing", "shared"]);
  useFocusBack();
  return (
    <Modal
      open
      centered
      width={460}
      title={t("currency.title", { from, to })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onKeep}
      footer={[
        <Button key="keep" onClick={onKeep}>
          {t("currency.keep", { from })}
        </Button>,
        <Button key="relabel" onClick={onRelabel}>
          {t("currency.relabel", { to })}
        </Button>,
        <Button key="empty" type="primary" onClick={onEmpty}>
          {t("currency.empty", { to })}
        </Button>,
      ]}
    >
      <p>{t("currency.typed", { count, from, to })}</p>
    </Modal>
  );
}

/** The popup around its three operations: its width, at most 80vh, always a close icon. Specification 2, section 2. */
import Modal from "antd/es/modal";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useFocusBack } from "@/shared/hooks/useFocusBack";
import "./popup.css";

/** 18vw is less than a gloved hand needs on most screens. */
export const NARROW = "max(18vw, 320px)";
export const WIDE = 500;

/** Under which is kept what is typed in a popup of the line. */
export const draftName = (line: Line, popup: string) =>
  `order/${line.salesOrderId}/line/${line.position}/${popup}`;

interface Props {
  line: Line;
  width: string | number;
  title: string;
  /** Something is being sent: only its answer closes the popup, or keeps it open. */
  busy: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function PopupFrame({ line, width, title, busy, onClose, children }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  useFocusBack();
  return (
    <Modal
      open
      centered
      className="ob-popup"
      width={width}
      title={title}
      footer={null}
      closable={busy ? false : { "aria-label": t("shared:action.close") }}
      onCancel={() => {
        if (!busy) onClose();
      }}
    >
      <p className="ob-popup__subject">
        {t("popup.subject", { po: line.customerSalesOrderId, position: line.position })}
        {" · "}
        {line.itemName}
      </p>
      {children}
    </Modal>
  );
}

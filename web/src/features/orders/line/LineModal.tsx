/** Show the line detail in a modal of 98vw by 98vh. */
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import { LineDetail } from "./LineDetail";
import "./line.css";

interface Props {
  salesOrderId: number;
  position: number;
  onClose: () => void;
}

export default function LineModal({ salesOrderId, position, onClose }: Props) {
  const { t } = useTranslation("orders");
  useFocusBack();
  return (
    <Modal
      open
      centered
      className="ob-line-modal"
      width="98vw"
      footer={null}
      closable={false}
      title={t("line.title", { position })}
      classNames={{ header: "ob-visually-hidden" }}
      onCancel={onClose}
    >
      <LineDetail salesOrderId={salesOrderId} position={position} onClose={onClose} />
    </Modal>
  );
}

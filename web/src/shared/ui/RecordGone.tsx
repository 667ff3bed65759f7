/** A link that leads to a record which is no longer there, or could not be loaded. */
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/shared/http/ApiError";
import { errorText } from "./errors";

export function RecordGone({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const { t } = useTranslation(["forms", "shared"]);
  return (
    <Modal
      open
      centered
      width={400}
      title={error.status === 404 ? t("record.gone") : t("shared:state.loadFailed")}
      closable={{ "aria-label": t("shared:action.close") }}
      footer={null}
      onCancel={onClose}
    >
      <p role="alert">{errorText(error)}</p>
    </Modal>
  );
}

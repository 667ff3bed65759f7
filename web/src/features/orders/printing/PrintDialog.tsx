/** Show the progress of a long print, or why it failed. A quick print shows no dialog. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Progress from "antd/es/progress";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/shared/http/ApiError";
import { percentOf, usePrintProgress } from "@/entities/printing/usePrintProgress";
import { errorText } from "@/shared/ui/errors";

interface Props {
  runId: string;
  error: ApiError | null;
  onAgain: () => void;
  onClose: () => void;
  /** Hide the dialog while the print continues. */
  onHide: () => void;
  onGiveUp: () => void;
}

export default function PrintDialog(props: Props) {
  const { runId, error, onAgain, onClose, onHide, onGiveUp } = props;
  const { t } = useTranslation(["orders", "shared"]);
  const progress = usePrintProgress(runId, error === null);
  if (error !== null) {
    return (
      <Modal
        open
        centered
        width={420}
        title={t("print.failed")}
        onCancel={onClose}
        closable={{ "aria-label": t("shared:action.close") }}
        footer={
          <>
            <Button onClick={onClose}>{t("shared:action.close")}</Button>
            <Button type="primary" onClick={onAgain}>
              {t("print.again")}
            </Button>
          </>
        }
      >
        <p role="alert">{errorText(error)}</p>
      </Modal>
    );
  }
  if (progress === null) return null;
  const { total } = progress;
  return (
    <Modal
      open
      centered
      width={420}
      title={t("print.underWay")}
      onCancel={onHide}
      closable={{ "aria-label": t("print.hide") }}
      footer={
        <>
          <Button onClick={onGiveUp}>{t("print.giveUp")}</Button>
          <Button type="primary" onClick={onHide}>
            {t("print.hide")}
          </Button>
        </>
      }
    >
      <Progress percent={percentOf(progress)} status="active" aria-label={t("print.underWay")} />
      <p role="status">{total === 0 ? t("print.begins") : t("print.progress", { ...progress })}</p>
      <p className="ob-quiet">{t("print.goesOn")}</p>
    </Modal>
  );
}

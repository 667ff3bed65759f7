/** Show the progress of a long print, or why it failed. A quick print shows no dialog. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Progress from "antd/es/progress";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import useSWR from "swr";
import type { ApiError } from "@/shared/http/ApiError";
import { loadProgress } from "@/shared/printing/runs";
import { errorText } from "@/shared/ui/errors";

/** Time before the dialog appears, in ms. */
const PATIENCE = 700;
const ASKED_EVERY = 500;

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
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  const { data: progress } = useSWR(
    long && error === null ? `print ${runId}` : null,
    () => loadProgress(runId).catch(() => undefined), // the print has not begun or is over
    { refreshInterval: ASKED_EVERY },
  );
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
        <p role="alert">{error.code === "pdf_unavailable" ? error.message : errorText(error)}</p>
      </Modal>
    );
  }
  if (!long) return null;
  const { done, total } = progress ?? { done: 0, total: 0 };
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
      <Progress
        percent={total === 0 ? 0 : Math.round((100 * done) / total)}
        status="active"
        aria-label={t("print.underWay")}
      />
      <p role="status">{total === 0 ? t("print.begins") : t("print.progress", { done, total })}</p>
      <p className="ob-quiet">{t("print.goesOn")}</p>
    </Modal>
  );
}

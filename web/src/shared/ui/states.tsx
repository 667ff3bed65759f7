/** What to show in place of data that is empty, loading or failed to load. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Skeleton from "antd/es/skeleton";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/shared/http/ApiError";
import { whenBack } from "@/shared/network";
import { Drawing, type DrawingName } from "./Drawing";
import { loadErrorText } from "./errors";
import "./states.css";

interface Props {
  title: string;
  hint?: string;
  action?: ReactNode;
  drawing?: DrawingName;
}

export function EmptyState({ title, hint, action, drawing = "anvil" }: Props) {
  return (
    <div className="ob-state">
      <Drawing name={drawing} />
      <p className="ob-large ob-strong">{title}</p>
      {hint !== undefined && <p className="ob-quiet ob-state__hint">{hint}</p>}
      {action}
    </div>
  );
}

/** The error of a page or list that failed to load. It offers a retry, and retries automatically if no answer came. */
export function LoadFailed({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const { t } = useTranslation("shared");
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => (error.isOffline ? whenBack(retry) : undefined), [error]);
  return (
    <div className="ob-state" role="alert">
      <p className="ob-large ob-strong">{t("state.loadFailed")}</p>
      <p className="ob-quiet ob-state__hint">{loadErrorText(error)}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{t("action.retry")}</Button>}
    </div>
  );
}

/** A page without data: its error, or a skeleton while it loads. */
export function PageState({
  error,
  onRetry,
}: {
  error: ApiError | undefined;
  onRetry: () => void;
}) {
  if (error !== undefined) return <LoadFailed error={error} onRetry={onRetry} />;
  return (
    <div className="ob-page">
      <Skeleton active paragraph={{ rows: 8 }} />
    </div>
  );
}

/** The dialog for a link to a record that no longer exists or failed to load. */
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
      <p role="alert">{loadErrorText(error)}</p>
    </Modal>
  );
}

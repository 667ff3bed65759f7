/** A page or list that could not be loaded: what happened, and another try. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/shared/http/ApiError";
import { errorText } from "./errors";
import "./states.css";

export function LoadFailed({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const { t } = useTranslation("shared");
  return (
    <div className="ob-state" role="alert">
      <p className="ob-state__title">{t("state.loadFailed")}</p>
      <p className="ob-state__hint">{errorText(error)}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{t("action.retry")}</Button>}
    </div>
  );
}

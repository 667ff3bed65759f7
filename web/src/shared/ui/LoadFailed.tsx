/** A page or list that could not be loaded: what happened, and another try, by itself once the server is back. */
import Button from "antd/es/button";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/shared/http/ApiError";
import { whenBack } from "@/shared/network";
import { errorText } from "./errors";
import "./states.css";

export function LoadFailed({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const { t } = useTranslation("shared");
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => (error.isOffline ? whenBack(retry) : undefined), [error]);
  return (
    <div className="ob-state" role="alert">
      <p className="ob-state__title">{t("state.loadFailed")}</p>
      <p className="ob-state__hint">{errorText(error)}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>{t("action.retry")}</Button>}
    </div>
  );
}

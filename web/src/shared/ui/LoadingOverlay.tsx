/** The spinner over everything while a call runs; quick answers never show it. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLoading } from "@/shared/http/activity";
import "./LoadingOverlay.css";

const PATIENCE = 250;

export function LoadingOverlay() {
  return useLoading() ? <Patient /> : null;
}

function Patient() {
  const { t } = useTranslation("shared");
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div className="ob-overlay" role="status" aria-label={t("state.loading")}>
      <span className="ob-overlay__spinner" />
    </div>
  );
}

/** Stands where a part would stand whose code or words did not come. Plain: it must need nothing that may be missing. */
import { useTranslation } from "react-i18next";
import "./states.css";

interface Props {
  /** Over the page, where a dialog would be. */
  over: boolean;
  onRetry: () => void;
  onClose: (() => void) | undefined;
}

export function PartMissing({ over, onRetry, onClose }: Props) {
  const { t } = useTranslation("shared");
  return (
    <div className={over ? "ob-state ob-state--over" : "ob-state"} role="alert">
      <p className="ob-state__title">{t("part.missing")}</p>
      <p className="ob-state__hint">{t("part.hint")}</p>
      <p className="ob-state__buttons">
        <button type="button" className="ob-plain-button ob-plain-button--main" onClick={onRetry}>
          {t("action.retry")}
        </button>
        <button type="button" className="ob-plain-button" onClick={() => window.location.reload()}>
          {t("action.reload")}
        </button>
        {onClose !== undefined && (
          <button type="button" className="ob-plain-button" onClick={onClose}>
            {t("action.close")}
          </button>
        )}
      </p>
    </div>
  );
}

/** Live, reconnecting or polling, and how long ago the last event came. */
import { useTranslation } from "react-i18next";
import { useNow } from "@/shared/hooks/browser";
import { useLiveStatus } from "./LiveProvider";
import "./LiveIndicator.css";

export function LiveIndicator() {
  const { t } = useTranslation("shared");
  const { state, lastEventAt } = useLiveStatus();
  const now = useNow(1_000);
  const age = lastEventAt === null ? null : Math.max(0, Math.floor((now - lastEventAt) / 1_000));
  return (
    <span className={`ob-live ob-live--${state}`} title={t(`live.${state}Hint`)}>
      <span className="ob-live__state" role="status">
        {t(`live.${state}`)}
      </span>
      {age !== null && <span className="ob-live__age">{ageText(age, t)}</span>}
    </span>
  );
}

function ageText(seconds: number, t: ReturnType<typeof useTranslation<"shared">>["t"]): string {
  if (seconds < 60) return t("live.seconds", { count: seconds });
  if (seconds < 3_600) return t("live.minutes", { count: Math.floor(seconds / 60) });
  return t("live.hours", { count: Math.floor(seconds / 3_600) });
}

/**
 * Show the state of the connection, and how old the last event is; without a connection, until when
 * the data was live.
 */
import { useTranslation } from "react-i18next";
import { formatTime } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useLiveStatus, type LiveStatus } from "./LiveProvider";
import "./LiveIndicator.css";

/** `isReadOnlyAway`: whether the page can only be read without a server. A station stores what is pressed. */
export function LiveIndicator({ isReadOnlyAway }: { isReadOnlyAway: boolean }) {
  const { t } = useTranslation("shared");
  const live = useLiveStatus();
  const shown = live.isAway && isReadOnlyAway ? "away" : live.state;
  return (
    <span className={`ob-live ob-live--${live.state}`} title={t(`live.${shown}Hint`)}>
      <span className="ob-strong ob-live__state" role="status">
        {t(`live.${shown}`)}
      </span>
      {live.liveUntil !== null && (
        <span>{t("live.stale", { time: formatTime(new Date(live.liveUntil)) })}</span>
      )}
      {live.liveUntil === null && (
        <span className="ob-live__age">
          {(live.lastEventAt !== null || live.state === "live") && <LastEvent live={live} />}
        </span>
      )}
    </span>
  );
}

/** Say how long ago the last event came. `until`: the time at which this age stops growing. */
export function LastEvent({
  live: { lastEventAt },
  until = null,
}: {
  live: LiveStatus;
  until?: number | null;
}) {
  const { t } = useTranslation("shared");
  const now = useNow(1_000);
  if (lastEventAt === null) return t("live.none");
  const seconds = Math.max(0, Math.floor(((until ?? now) - lastEventAt) / 1_000));
  if (seconds < 60) return t("live.seconds", { count: seconds });
  if (seconds < 3_600) return t("live.minutes", { count: Math.floor(seconds / 60) });
  return t("live.hours", { count: Math.floor(seconds / 3_600) });
}

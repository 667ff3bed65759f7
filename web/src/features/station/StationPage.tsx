/**
 * Station page: a worker's screen at one process. A scan anywhere, one press, an answer at once.
 */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import type { Station } from "@/contract";
import { useLiveEvents, useStaleSince } from "@/live/LiveProvider";
import { useWakeLock } from "@/shared/hooks/browser";
import { useAnswer } from "@/shared/http/data";
import { STATION } from "@/shared/http/keys";
import { useSignedIn } from "@/shared/session/session";
import { PageState } from "@/shared/ui/states";
import { useSound } from "@/entities/scanning/feedback";
import { keepStation, knownStation, type Known } from "./queue/storage";
import { noteRecorded, noteServerTime } from "./serverTime";
import { StationScreen } from "./StationScreen";
import "./station.css";

export default function StationPage() {
  const id = Number(useParams()["processId"]);
  // Start another station from scratch, so that no line stays open.
  return <StationOf key={id} processId={id} />;
}

function StationOf({ processId }: { processId: number }) {
  const { t } = useTranslation("station");
  useSound();
  useWakeLock();
  const { data, error, mutate } = useAnswer(
    STATION,
    { path: { process_id: processId } },
    { onSuccess: (station: Station) => noteServerTime(station.now) },
  );
  useLiveEvents(({ at }) => noteRecorded(at));
  const known = useKnown(processId, data);
  const stale = useStaleSince();
  const station = data ?? known?.station;

  if (station === undefined) {
    return (
      <>
        {error?.isOffline === true && (
          <p className="ob-note ob-note--warning ob-doubtful ob-large ob-strong">{t("unknown")}</p>
        )}
        <PageState error={error} onRetry={() => void mutate()} />
      </>
    );
  }
  // Until the server has answered in this session, the data is as old as the stored answer.
  const since = data === undefined ? (known?.at ?? null) : stale;
  return <StationScreen station={station} staleSince={since} />;
}

/**
 * Return what this machine last knew of the station, until the server answers. Stores each answer.
 */
function useKnown(processId: number, data: Station | undefined): Known | null {
  const userId = useSignedIn().user.id;
  const [known, setKnown] = useState<Known | null>(null);

  useEffect(() => {
    let shown = true;
    knownStation(processId, userId).then(
      (found) => shown && setKnown(found),
      () => undefined, // nothing can be kept here; the queue reports it
    );
    return () => {
      shown = false;
    };
  }, [processId, userId]);

  useEffect(() => {
    if (data === undefined) return;
    keepStation({ processId, userId, station: data, at: Date.now() }).catch(() => undefined);
  }, [processId, userId, data]);

  return known;
}

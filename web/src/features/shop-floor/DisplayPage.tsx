/** Wall screen: its code until it is paired, then the board until it is revoked. */
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { LiveConnection, useLiveStatus } from "@/live/LiveProvider";
import { useWakeLock } from "@/shared/hooks/browser";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswer } from "@/shared/http/data";
import { BATCH_CARDS, BOARD } from "@/shared/http/keys";
import {
  forgetDisplay,
  readDisplay,
  storeDisplay,
  useActingDisplay,
  type PairedDisplay,
} from "@/shared/session/display";
import { Board } from "./Board";
import { floorOf } from "./boardView";
import { usePairing } from "./usePairing";
import "./DisplayPage.css";

/**
 * Reload interval of the board, in ms. Events keep it up to date, but a new day begins without an
 * event.
 */
const CHECKED_EVERY = 60_000;
/** Retry interval until the board is loaded, in ms. */
const TRIED_EVERY = 5_000;

export default function DisplayPage() {
  const [display, setDisplay] = useState(readDisplay);
  const [revoked, setRevoked] = useState(false);
  if (display === null) {
    return (
      <Pairing
        revoked={revoked}
        onPaired={(paired) => {
          storeDisplay(paired);
          setRevoked(false);
          setDisplay(paired);
        }}
      />
    );
  }
  return (
    <Wall
      key={display.token}
      display={display}
      onRevoked={() => {
        forgetDisplay(display.token);
        setRevoked(true);
        setDisplay(null);
      }}
    />
  );
}

interface PairingProps {
  revoked: boolean;
  onPaired: (display: PairedDisplay) => void;
}

function Pairing({ revoked, onPaired }: PairingProps) {
  const { t } = useTranslation("shopFloor");
  const { code, failed } = usePairing(onPaired);
  return (
    <main className="ob-display">
      {revoked && (
        <p className="ob-display__revoked" role="alert">
          {t("display.revoked")}
        </p>
      )}
      <h1>{t("display.title")}</h1>
      <p className="ob-display__code" role="status" aria-label={t("display.code")}>
        {code ?? "······"}
      </p>
      <p className="ob-display__how">{failed ? t("display.noServer") : t("display.how")}</p>
    </main>
  );
}

interface WallProps {
  display: PairedDisplay;
  onRevoked: () => void;
}

/** Wait until calls are made as the display. */
function Wall({ display, onRevoked }: WallProps) {
  if (!useActingDisplay(display)) return null;
  return (
    <LiveConnection token={display.token} onSessionOver={onRevoked}>
      <WallBoard onRevoked={onRevoked} />
    </LiveConnection>
  );
}

function WallBoard({ onRevoked }: { onRevoked: () => void }) {
  const { t } = useTranslation("shopFloor");
  const live = useLiveStatus();
  const { data, error, mutate } = useAnswer(BOARD, {}, { quiet: true });
  const over = error !== undefined && asApiError(error).status === 401;
  const isThere = data !== undefined;
  const { data: batches, mutate: renewBatches } = useAnswer(BATCH_CARDS, {}, { quiet: true });
  const floor = useMemo(() => data && floorOf(data, batches), [data, batches]);

  useEffect(() => {
    if (over) onRevoked();
  }, [over, onRevoked]);
  // Retry forever, because nobody reloads a screen on a wall.
  useEffect(() => {
    const renew = () => void Promise.all([mutate(), renewBatches()]);
    const timer = setInterval(renew, isThere ? CHECKED_EVERY : TRIED_EVERY);
    return () => clearInterval(timer);
  }, [isThere, mutate, renewBatches]);
  useWakeLock();

  if (floor === undefined) {
    return (
      <main className="ob-display">
        <p className="ob-display__how" role="status">
          {error === undefined ? t("display.loading") : t("display.noServer")}
        </p>
      </main>
    );
  }
  return (
    <main className="ob-floor ob-floor--full">
      <Board floor={floor} live={live} wall />
    </main>
  );
}

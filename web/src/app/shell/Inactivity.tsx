/** Ask an inactive user whether to stay, and end the session without an answer. See infra/docs/rules.md#sessions. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useMatch } from "react-router";
import { signOutAtServer } from "@/shared/http/signOuts";
import { InactivityWatch, noteActivity } from "@/shared/session/inactivity";
import { expireSession, getSession, useMay, useSession } from "@/shared/session/session";
import "./Shell.css";

export default function Inactivity() {
  const signedIn = useSession() !== null;
  const exempt = useMay("NoAutoLogoutInactivity");
  const mayUseStations = useMay("Station");
  const atStation = useMatch("/shop-floor/station/:processId") !== null;
  if (!signedIn || exempt) return null;
  return mayUseStations && atStation ? <AtStation /> : <Watched />;
}

const EVERY_MINUTE = 60_000;

/** Keep the session of an open station active, in all tabs: it must stay usable after an hour without a touch. */
function AtStation() {
  useEffect(() => {
    noteActivity();
    const timer = setInterval(noteActivity, EVERY_MINUTE);
    return () => clearInterval(timer);
  }, []);
  return null;
}

function endSession(): void {
  const session = getSession();
  if (session !== null) signOutAtServer(session.token);
  expireSession("inactivity");
}

function Watched() {
  const { t } = useTranslation("shell");
  const [watch] = useState(() => new InactivityWatch(endSession));
  useEffect(() => {
    watch.start();
    return () => watch.stop();
  }, [watch]);
  const now = useSyncExternalStore(
    (listener) => watch.subscribe(listener),
    () => watch.now,
  );
  const answer = useRef<HTMLButtonElement>(null);
  const progress = now.phase === "counting" ? now.progress : 0;
  return (
    <Modal
      open={now.phase === "counting"}
      centered
      destroyOnHidden
      className="ob-inactivity"
      styles={{
        container: { display: "flex", flexDirection: "column", minHeight: "32vh" },
        body: {
          display: "grid",
          flex: 1,
          gap: "var(--ob-space-4)",
          alignContent: "center",
          fontSize: "var(--ob-size-large)",
        },
      }}
      width="max(40vw, min(340px, 92vw))"
      zIndex={2000}
      title={t("inactivity.title")}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      afterOpenChange={(open) => {
        if (open) answer.current?.focus();
      }}
      footer={
        <Button type="primary" size="large" ref={answer} onClick={() => watch.stay()}>
          {t("inactivity.stay")}
        </Button>
      }
    >
      <p role="alert">{t("inactivity.text")}</p>
      <div
        className="ob-inactivity__bar"
        role="progressbar"
        aria-label={t("inactivity.title")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={progress}
      >
        <span style={{ width: `${progress}%` }} />
      </div>
    </Modal>
  );
}

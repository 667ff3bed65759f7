/** A quiet note while the line is open: what somebody else just did to it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useLiveEvents } from "@/realtime/LiveProvider";
import { formatTime } from "@/shared/format/plantClock";
import { useSignedIn } from "@/shared/session/session";
import { isOwnChange } from "../ownChanges";
import { happeningOf, type Happening } from "./happening";
import { useHappeningText } from "./HappeningText";
import { isAbout } from "./isAbout";

export function LiveNote({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const say = useHappeningText();
  const me = useSignedIn().user.id;
  const [heard, setHeard] = useState<{ happening: Happening; own: boolean } | null>(null);

  useLiveEvents((event) => {
    if (!isAbout(event, line) || isOwnChange(event, me)) return;
    setHeard({ happening: happeningOf(event), own: event.by?.id === me });
  });

  return (
    <p className="ob-live-note" role="status" aria-label={t("line.news")}>
      {heard !== null && (
        <span className="ob-live-note__text" key={heard.happening.at}>
          <time dateTime={heard.happening.at}>{formatTime(heard.happening.at)}</time>{" "}
          {say(heard.happening, heard.own)}
        </span>
      )}
    </p>
  );
}

/** A quiet note while the line is open: what somebody else just did to it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useLiveEvents } from "@/live/LiveProvider";
import { formatTime } from "@/shared/format/plantClock";
import { useSignedIn } from "@/shared/session/session";
import { isOwnChange } from "../ownChanges";
import { activityOf, type LineActivity } from "./lineActivity";
import { useActivityText } from "./useActivityText";
import { isAbout } from "./isAbout";

export function LiveNote({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const say = useActivityText();
  const me = useSignedIn().user.id;
  const [heard, setHeard] = useState<{ activity: LineActivity; own: boolean } | null>(null);

  useLiveEvents((event) => {
    if (!isAbout(event, line) || isOwnChange(event, me)) return;
    setHeard({ activity: activityOf(event), own: event.by?.id === me });
  });

  return (
    <p className="ob-live-note" role="status" aria-label={t("line.news")}>
      {heard !== null && (
        <span className="ob-live-note__text" key={heard.activity.at}>
          <time dateTime={heard.activity.at}>{formatTime(heard.activity.at)}</time>{" "}
          {say(heard.activity, heard.own)}
        </span>
      )}
    </p>
  );
}

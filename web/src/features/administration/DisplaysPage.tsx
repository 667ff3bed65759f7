/** List the wall screens with their state; pair new ones by their code and revoke old ones. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Display } from "@/contract";
import { namesOf, useWholeOptions } from "@/shared/form/OptionsSelect";
import { formatInstant } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { Chip } from "@/shared/ui/Chip";
import { lazyPart } from "@/shared/ui/lazyPart";
import { RecordLink } from "@/shared/ui/RecordLink";

const DisplayDrawer = lazyPart(() => import("./displays/DisplayDrawer"));

const EVERY_MINUTE = 60_000;
/** A screen loads its board once a minute. One not seen for longer than this is shown as silent. */
const SILENT_AFTER = 3 * EVERY_MINUTE;

const LIST: RecordList<Display, "active"> = {
  path: "/api/displays",
  title: "administration:display.title",
  search: "administration:display.search",
  empty: "administration:display.empty",
  emptyHint: "administration:display.emptyHint",
  columns: ({ link, own, instant }) => [
    link("name", "administration:display.field.name", ({ name }) => name, { sorts: true }),
    own("lanes", "administration:display.field.productionProcessIds", (display) => (
      <Lanes display={display} />
    )),
    own("state", "administration:display.state.label", (display) => (
      <DisplayState display={display} />
    )),
    instant("lastSeen", "administration:display.lastSeen", {
      none: "administration:display.never",
    }),
  ],
  card: (display) => <DisplayCard display={display} />,
  filterNames: ["active"],
  // The filter shows the revoked screens.
  unfiltered: { active: "true" },
  filters: [
    {
      choice: "active",
      values: [["false", "administration:display.revoked"]],
      label: "administration:display.state.label",
      any: "administration:display.inUse",
    },
  ],
  add: {
    label: "administration:display.add",
    permission: "ShopFloor",
    drawer: (close) => <DisplayDrawer onClose={close} />,
  },
  record: {
    path: "/api/displays/{display_id}",
    id: "display_id",
    drawer: (display, close) => <DisplayDrawer display={display} onClose={close} />,
  },
};

export default function DisplaysPage() {
  const { reload } = useAnswers();
  // No event is sent when a screen is seen, so reload on a timer.
  useEffect(() => {
    const timer = setInterval(() => void reload(under(RESOURCES.displays)), EVERY_MINUTE);
    return () => clearInterval(timer);
  });
  return <RecordListPage list={LIST} />;
}

function Lanes({ display }: { display: Display }) {
  const { t } = useTranslation("administration");
  const processes = useWholeOptions("production-processes");
  if (!display.active) return null;
  const ids = display.productionProcessIds;
  return ids.length === 0 ? t("display.everyLane") : namesOf(processes, ids);
}

function DisplayCard({ display }: { display: Display }) {
  const { t } = useTranslation("administration");
  return (
    <RecordLink id={display.id} className="ob-stack ob-stack--tight ob-card">
      <span className="ob-words ob-apart">
        <strong>{display.name}</strong>
        <DisplayState display={display} />
      </span>
      <span className="ob-quiet">
        {t("display.lastSeen")}: {formatInstant(display.lastSeen) || t("display.never")}
      </span>
    </RecordLink>
  );
}

const TONES = { on: "good", silent: "warning", waiting: "quiet", revoked: "quiet" } as const;

function DisplayState({ display }: { display: Display }) {
  const { t } = useTranslation("administration");
  const now = useNow(EVERY_MINUTE / 2);
  const { active, lastSeen } = display;
  const silent = lastSeen !== null && now - Date.parse(lastSeen) > SILENT_AFTER;
  const state = !active ? "revoked" : lastSeen === null ? "waiting" : silent ? "silent" : "on";
  return <Chip tone={TONES[state]}>{t(`display.state.${state}`)}</Chip>;
}

/** List the wall screens with their state; pair new ones by their code and revoke old ones. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Display } from "@/contract";
import { namesOf, useWholeOptions } from "@/shared/form/OptionsSelect";
import { formatInstant } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useAnswer, useList } from "@/shared/http/data";
import { useMay } from "@/shared/session/session";
import { Chip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { ChoiceFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { RecordGone } from "@/shared/ui/states";

const DisplayDrawer = lazyPart(() => import("./displays/DisplayDrawer"));

const EVERY_MINUTE = 60_000;
/** A screen loads its board once a minute. One not seen for longer than this is shown as silent. */
const SILENT_AFTER = 3 * EVERY_MINUTE;

export default function DisplaysPage() {
  const { t } = useTranslation("administration");
  const query = useTableQuery<"active">(["active"]);
  const maySeeBoard = useMay("ShopFloor");
  // Show the screens in use by default; the filter shows the revoked ones.
  const list = useList("/api/displays", { query: { active: "true", ...query.server } }, query);
  const processes = useWholeOptions("production-processes");
  const { opened, open, close } = useOpenRecord();
  const now = useNow(EVERY_MINUTE / 2);
  const reload = list.retry;
  // No event is sent when a screen is seen, so reload on a timer.
  useEffect(() => {
    const timer = setInterval(reload, EVERY_MINUTE);
    return () => clearInterval(timer);
  });
  const columns = useMemo<Columns<Display>>(() => {
    const lanes = (ids: number[]) =>
      ids.length === 0 ? t("display.everyLane") : namesOf(processes, ids);
    return [
      {
        key: "name",
        title: t("display.field.name"),
        sorter: true,
        render: (_, display) => <RecordLink id={display.id}>{display.name}</RecordLink>,
      },
      {
        key: "lanes",
        title: t("display.field.productionProcessIds"),
        render: (_, { active, productionProcessIds }) =>
          active ? lanes(productionProcessIds) : "",
      },
      {
        key: "state",
        title: t("display.state.label"),
        render: (_, display) => <DisplayState display={display} now={now} />,
      },
      {
        key: "lastSeen",
        title: t("display.lastSeen"),
        render: (_, { lastSeen }) => formatInstant(lastSeen) || t("display.never"),
      },
    ];
  }, [t, processes, now]);
  return (
    <ListPage<Display>
      title={t("display.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("display.search")}
      filters={
        <ChoiceFilter
          query={query}
          name="active"
          label={t("display.state.label")}
          placeholder={t("display.inUse")}
          options={[{ value: "false", label: t("display.revoked") }]}
        />
      }
      add={maySeeBoard ? { label: t("display.add"), onClick: () => open("new") } : undefined}
      emptyTitle={t("display.empty")}
      emptyHint={t("display.emptyHint")}
      onOpen={({ id }) => open(id)}
      renderCard={(display) => (
        <RecordLink id={display.id} className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <strong>{display.name}</strong>
            <DisplayState display={display} now={now} />
          </span>
          <span className="ob-quiet">
            {t("display.lastSeen")}: {formatInstant(display.lastSeen) || t("display.never")}
          </span>
        </RecordLink>
      )}
    >
      {opened === "new" && maySeeBoard && <DisplayDrawer onClose={close} />}
      {typeof opened === "number" && <OpenDisplay key={opened} id={opened} onClose={close} />}
    </ListPage>
  );
}

function OpenDisplay({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useAnswer("/api/displays/{display_id}", { path: { display_id: id } });
  if (data !== undefined) return <DisplayDrawer display={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

const TONES = { on: "good", silent: "warning", waiting: "quiet", revoked: "quiet" } as const;

function DisplayState({ display, now }: { display: Display; now: number }) {
  const { t } = useTranslation("administration");
  const { active, lastSeen } = display;
  const silent = lastSeen !== null && now - Date.parse(lastSeen) > SILENT_AFTER;
  const state = !active ? "revoked" : lastSeen === null ? "waiting" : silent ? "silent" : "on";
  return <Chip tone={TONES[state]}>{t(`display.state.${state}`)}</Chip>;
}

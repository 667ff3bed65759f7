/** The last ten movements at the station; who made one takes it back for some minutes. */
import RollbackOutlined from "@ant-design/icons/es/icons/RollbackOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { formatTime } from "@/shared/format/plant";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import type { Worker } from "./operator";
import { serverTime } from "./serverTime";
import type { Show } from "./StationScreen";
import { useUndo } from "./useUndo";

const SHOWN = 10;
/** As long as the server lets a movement be undone. */
const UNDO_FOR = 5 * 60_000;

type Recent = Station["recent"][number];

interface Props {
  station: Station;
  worker: Worker;
  now: number;
  show: Show;
}

export function RecentList({ station, worker, now, show }: Props) {
  const { t } = useTranslation("station");
  const undo = useUndo(station, worker);
  const [busy, setBusy] = useState<number | null>(null);
  const rows = station.recent.slice(0, SHOWN);

  async function takeBack(row: Recent) {
    setBusy(row.recordId);
    try {
      await undo.record(row, { recordId: row.recordId, side: row.type === "in" ? "in" : "out" });
      show("yes");
      toast.success(t("done.undone"));
    } catch (reason) {
      show("no");
      toastError(reason);
    }
    setBusy(null);
  }

  return (
    <section className="ob-station__list ob-station__list--recent" aria-labelledby="recent">
      <h2 id="recent">{t("recent")}</h2>
      {rows.length === 0 && <p className="ob-station__empty">{t("recentEmpty")}</p>}
      <ul>
        {rows.map((row) => {
          const what = t(`moved.${row.type}`, { count: row.pieces });
          return (
            <li key={`${row.recordId} ${row.type} ${row.at}`} className="ob-station__recent">
              <time dateTime={row.at}>{formatTime(row.at)}</time>
              <span className="ob-station__what">
                <strong>{what}</strong> {row.customerSalesOrderId} ·{" "}
                {t("line", { position: row.position })}
                <small>{row.by}</small>
              </span>
              {isUndoable(row, rows, worker.id, now) && (
                <Button
                  className="ob-station__button"
                  icon={<RollbackOutlined aria-hidden />}
                  aria-label={t("moved.undo", { what, po: row.customerSalesOrderId })}
                  loading={busy === row.recordId}
                  onClick={() => void takeBack(row)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The server decides; this is where it may say yes: one's own, of the last minutes, and the last of its record. */
function isUndoable(row: Recent, rows: readonly Recent[], workerId: number, now: number): boolean {
  const soon = serverTime(now) - Date.parse(row.at) < UNDO_FOR;
  const newest = rows.find(({ recordId }) => recordId === row.recordId);
  return row.byId === workerId && soon && newest === row;
}

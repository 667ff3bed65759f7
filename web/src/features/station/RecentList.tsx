/** The last ten movements at the station. The worker can undo their own for some minutes. */
import RollbackOutlined from "@ant-design/icons/es/icons/RollbackOutlined";
import Button from "antd/es/button";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { formatMoment, today } from "@/shared/format/plant";
import { useStable } from "@/shared/hooks/browser";
import { useMovements } from "./queue/useMovements";
import { serverTime } from "./serverTime";
import { useUndo } from "./useUndo";
import type { Show, Worker } from "./types";

const SHOWN = 10;

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
  const { movements } = useMovements();
  const rows = station.recent.slice(0, SHOWN);
  const day = today(new Date(serverTime(now)));

  const isUndoing = ({ recordId }: Recent) =>
    movements.some(({ undo: taken, refused }) => taken?.recordId === recordId && refused === null);

  const takeBack = useStable((row: Recent) => {
    const side = row.type === "in" ? "in" : "out";
    void undo.record(row, { recordId: row.recordId, side, quantity: row.pieces });
    show("yes");
  });

  return (
    <section className="ob-station__list ob-station__list--recent" aria-labelledby="recent">
      <h2 id="recent">{t("recent")}</h2>
      {rows.length === 0 && <p className="ob-quiet ob-station__empty">{t("recentEmpty")}</p>}
      <ul className="ob-stack">
        {rows.map((row) => (
          <Row
            key={`${row.recordId} ${row.type} ${row.at}`}
            row={row}
            day={day}
            isUndoing={isUndoing(row)}
            mayUndo={isUndoable(row, station, worker.id, now)}
            onTakeBack={takeBack}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  row: Recent;
  /** Today at the plant. */
  day: string;
  isUndoing: boolean;
  mayUndo: boolean;
  onTakeBack: (row: Recent) => void;
}

const Row = memo(function Row({ row, day, isUndoing, mayUndo, onTakeBack }: RowProps) {
  const { t } = useTranslation("station");
  const what = t(`moved.${row.type}`, { count: row.pieces });
  return (
    <li className="ob-surface ob-row ob-station__recent">
      <time className="ob-quiet" dateTime={row.at}>
        {formatMoment(row.at, day)}
      </time>
      <span className="ob-station__what">
        <strong>{what}</strong> {row.customerSalesOrderId} · {t("line", { position: row.position })}
        <small className="ob-quiet">{isUndoing ? t("done.undoing") : row.by}</small>
      </span>
      {!isUndoing && mayUndo && (
        <Button
          className="ob-station__button"
          icon={<RollbackOutlined aria-hidden />}
          aria-label={t("moved.undo", { what, po: row.customerSalesOrderId })}
          onClick={() => onTakeBack(row)}
        />
      )}
    </li>
  );
});

/**
 * Whether the server may allow the undo: the worker's own recent movement, and the last of its
 * record.
 */
function isUndoable(row: Recent, station: Station, workerId: number, now: number): boolean {
  const { recent, undoSeconds } = station;
  const soon = serverTime(now) - Date.parse(row.at) < undoSeconds * 1_000;
  const newest = recent.find(({ recordId }) => recordId === row.recordId);
  return row.byId === workerId && soon && newest === row;
}

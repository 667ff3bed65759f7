/**
 * The last ten movements at the station. The worker's own last movement is pinned to the bottom of
 * the screen. Workers can undo their own movements for some minutes.
 */
import RollbackOutlined from "@ant-design/icons/es/icons/RollbackOutlined";
import Button from "antd/es/button";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { sayMoment } from "@/shared/format/days";
import { today } from "@/shared/format/plant";
import { useStable } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { nameOf } from "./possible";
import type { Movement } from "./queue/storage";
import { useMovements, useSettled } from "./queue/useMovements";
import { serverTime } from "./serverTime";
import { useMovementWords } from "./useMovementWords";
import { useUndo } from "./useUndo";
import type { Worker } from "./types";

const SHOWN = 10;

type Recent = Station["recent"][number];

/** Which of the last movements the worker may undo, and which are being undone. */
export interface Undoable {
  isUndoing: (row: Recent) => boolean;
  mayUndo: (row: Recent) => boolean;
  takeBack: (row: Recent) => void;
}

/**
 * The rows of the press that made a row: an exit and its scrap are two rows of one press, and so
 * are the lines of a batch.
 */
export const rowsOfPress = ({ recent }: Pick<Station, "recent">, row: Recent): Recent[] =>
  recent.filter(
    (one) =>
      (row.lines > 1 ? one.lines === row.lines : nameOf(one) === nameOf(row)) &&
      one.press === row.press &&
      one.at === row.at &&
      one.byId === row.byId,
  );

/** `onTakeBack` is called with each movement that the worker takes back. */
export function useUndoable(
  station: Station,
  worker: Worker,
  now: number,
  onTakeBack: (row: Recent) => void,
): Undoable {
  const undo = useUndo(station, worker);
  const { movements } = useMovements();
  // An undo takes back the whole press, so it concerns all of its rows.
  const isUndoing = (row: Recent) => {
    const records = rowsOfPress(station, row).map(({ recordId }) => recordId);
    return movements.some(
      ({ undo: taken, refused }) =>
        taken !== null &&
        taken.recordId !== null &&
        records.includes(taken.recordId) &&
        refused === null,
    );
  };
  const takeBack = useStable((row: Recent) => {
    const type = row.type === "in" || row.type === "scrap" ? row.type : "out";
    void undo.record(row, { recordId: row.recordId, type, quantity: row.pieces });
    onTakeBack(row);
  });
  const mayUndo = (row: Recent) => !isUndoing(row) && isUndoable(row, station, worker.id, now);
  return { isUndoing, mayUndo, takeBack };
}

/**
 * Return a function that finds this tab's hand-over for an exit. The station's last movements show
 * only that pieces left, not where they went.
 */
export function useHandOvers({ undoSeconds }: Station): (row: Recent) => Movement | undefined {
  // By line and instant, because one hand-over may close several records.
  const [known, setKnown] = useState<ReadonlyMap<string, Movement>>(new Map());
  useSettled(({ movement, sent }) => {
    if (movement.type !== "hand-over" || movement.undo !== null || sent.kind === "refused") return;
    const exit = sent.line?.actions.undo.find(
      ({ productionProcessId, side }) =>
        productionProcessId === movement.productionProcessId && side === "out",
    );
    if (exit === undefined) return;
    const at = Date.parse(exit.until) - undoSeconds * 1_000;
    setKnown((before) => new Map(before).set(`${nameOf(movement.line)} ${at}`, movement));
  });
  return (row) =>
    row.type === "out" ? known.get(`${nameOf(row)} ${Date.parse(row.at)}`) : undefined;
}

interface PinnedProps extends Pick<RowProps, "row" | "onTakeBack"> {
  /** All rows of the press, which an undo takes back together. */
  rows: readonly Recent[];
  /** The hand-over that the row's exit belongs to. */
  handedOver: Movement | undefined;
}

/** The worker's own last movement, at the bottom of the screen, while they may undo it. */
export function PinnedMovement({ row, rows, handedOver, onTakeBack }: PinnedProps) {
  const { t } = useTranslation("station");
  const language = useLanguage();
  const words = useMovementWords();
  return (
    <aside
      className="ob-row ob-apart ob-station__last ob-station__last--pinned"
      aria-label={t("lastOwn")}
    >
      <p>
        <small className="ob-quiet">
          {t("lastOwn")} · <time dateTime={row.at}>{sayMoment(row.at, language)}</time>
        </small>
        <strong>
          {handedOver === undefined
            ? sumsOf(rows)
                .map(({ type, pieces }) => t(`moved.${type}`, { count: pieces }))
                .join(" · ")
            : words.done(handedOver)}
        </strong>{" "}
        <span>
          {row.lines > 1
            ? t("batchOf", { count: row.lines })
            : `${row.customerSalesOrderId} · ${t("line", { position: row.position })}`}
        </span>
      </p>
      <Button
        size="large"
        className="ob-station__button"
        icon={<RollbackOutlined aria-hidden />}
        onClick={() => onTakeBack(row)}
      >
        {t("done.undo")}
      </Button>
    </aside>
  );
}

/** The pieces of a press by what happened to them, in the order of its rows. */
export function sumsOf(rows: readonly Recent[]): Pick<Recent, "type" | "pieces">[] {
  const sums = new Map<Recent["type"], number>();
  for (const { type, pieces } of rows) sums.set(type, (sums.get(type) ?? 0) + pieces);
  return [...sums].map(([type, pieces]) => ({ type, pieces }));
}

interface Props {
  station: Station;
  undoable: Undoable;
  now: number;
}

export function RecentList({ station, undoable, now }: Props) {
  const { t } = useTranslation("station");
  const rows = station.recent.slice(0, SHOWN);
  const day = today(new Date(serverTime(now)));

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
            isUndoing={undoable.isUndoing(row)}
            mayUndo={undoable.mayUndo(row)}
            onTakeBack={undoable.takeBack}
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
  const language = useLanguage();
  const what = t(`moved.${row.type}`, { count: row.pieces });
  return (
    <li className="ob-surface ob-row ob-station__recent">
      <time className="ob-quiet" dateTime={row.at}>
        {sayMoment(row.at, language, day)}
      </time>
      <span className="ob-station__what">
        <strong>{what}</strong> {row.customerSalesOrderId} · {t("line", { position: row.position })}
        <small className="ob-quiet">{isUndoing ? t("done.undoing") : row.by}</small>
      </span>
      {mayUndo && (
        <Button
          className="ob-station__button"
          icon={<RollbackOutlined aria-hidden />}
          aria-label={t("moved.undo", { what, po: row.customerSalesOrderId })}
          onClick={() => onTakeBack(row)}
        >
          {t("done.undo")}
        </Button>
      )}
    </li>
  );
});

/**
 * Whether the server may allow the undo: the movement is recent, the worker's own, not taken back,
 * and if it is an entry, not all of its pieces have left.
 */
export function isUndoable(row: Recent, station: Station, workerId: number, now: number): boolean {
  const { recent, undoSeconds } = station;
  const soon = serverTime(now) - Date.parse(row.at) < undoSeconds * 1_000;
  if (row.byId !== workerId || !soon) return false;
  if (row.type !== "in") return true;
  const later = recent.slice(0, recent.indexOf(row)).filter((one) => nameOf(one) === nameOf(row));
  const left = later.filter(({ type, byId }) => byId !== null && type !== "in");
  return left.reduce((pieces, one) => pieces + one.pieces, 0) < row.pieces;
}

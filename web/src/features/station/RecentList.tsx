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

/** The presses of a station's last movements, each with its rows, the newest first. */
export function pressesOf(station: Pick<Station, "recent">): [Recent, ...Recent[]][] {
  const seen = new Set<Recent>();
  return station.recent.flatMap((row) => {
    if (seen.has(row)) return [];
    const others = rowsOfPress(station, row).filter((one) => one !== row && !seen.has(one));
    for (const one of [row, ...others]) seen.add(one);
    return [[row, ...others]];
  });
}

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
  const said = useSaid();
  const whose = useSubject();
  return (
    <aside
      className="ob-row ob-apart ob-station__last ob-station__last--pinned"
      aria-label={t("lastOwn")}
    >
      <p>
        <small className="ob-quiet">
          {t("lastOwn")} · <time dateTime={row.at}>{sayMoment(row.at, language)}</time>
        </small>
        <strong>{handedOver === undefined ? said(rows) : words.done(handedOver)}</strong>{" "}
        <span>{whose(row)}</span>
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

/** Say what a press moved: "Salieron 9 · Se dio de baja 1". */
function useSaid(): (rows: readonly Recent[]) => string {
  const { t } = useTranslation("station");
  return (rows) =>
    sumsOf(rows)
      .map(({ type, pieces }) => t(`moved.${type}`, { count: pieces }))
      .join(" · ");
}

/** Name the line of a press, or say how many lines of a batch it moved. */
function useSubject(): (row: Recent) => string {
  const { t } = useTranslation("station");
  return ({ lines, customerSalesOrderId: po, position }) =>
    lines > 1 ? t("batchOf", { count: lines }) : `${po} · ${t("line", { position })}`;
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
  const said = useSaid();
  const presses = pressesOf(station).slice(0, SHOWN);
  const day = today(new Date(serverTime(now)));

  return (
    <section className="ob-station__list ob-station__list--recent" aria-labelledby="recent">
      <h2 id="recent">{t("recent")}</h2>
      {presses.length === 0 && <p className="ob-quiet ob-station__empty">{t("recentEmpty")}</p>}
      <ul className="ob-stack">
        {presses.map((rows) => (
          <Row
            key={`${rows[0].recordId} ${rows[0].type} ${rows[0].at}`}
            row={rows.find(undoable.mayUndo) ?? rows[0]}
            sums={said(rows)}
            day={day}
            isUndoing={undoable.isUndoing(rows[0])}
            mayUndo={rows.some(undoable.mayUndo)}
            onTakeBack={undoable.takeBack}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  row: Recent;
  /** What the press moved, in words. */
  sums: string;
  /** Today at the plant. */
  day: string;
  isUndoing: boolean;
  mayUndo: boolean;
  onTakeBack: (row: Recent) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { row, sums: what, day, isUndoing, mayUndo, onTakeBack } = props;
  const { t } = useTranslation("station");
  const language = useLanguage();
  const whose = useSubject();
  return (
    <li className="ob-surface ob-row ob-station__recent">
      <time className="ob-quiet" dateTime={row.at}>
        {sayMoment(row.at, language, day)}
      </time>
      <span className="ob-station__what">
        <strong>{what}</strong> {whose(row)}
        <small className="ob-quiet">{isUndoing ? t("done.undoing") : row.by}</small>
      </span>
      {mayUndo && (
        <Button
          className="ob-station__button"
          icon={<RollbackOutlined aria-hidden />}
          aria-label={t("moved.undo", {
            what,
            po: row.lines > 1 ? whose(row) : row.customerSalesOrderId,
          })}
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

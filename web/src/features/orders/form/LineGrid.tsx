/**
 * Edit the lines of an order in a keyboard grid: product ↵ quantity ↵ next line. On narrow or touch
 * screens the rows are cards.
 */
import Button from "antd/es/button";
import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "@/shared/ui/lazyPart";
import { isBlank, twiceIn, type GridLine, type LineDates, type LineField } from "./lines";
import { LineRow, type Refused } from "./LineRow";
import type { LineActions } from "./useLines";
import type { OfferedDates } from "./useOfferedDays";
import "./grid.css";

const LineDetails = lazyPart(() => import("./LineDetails"));
/** Rows that are rendered together. Blocks far from the window are not rendered. */
const BLOCK = 20;
const ROW_HEIGHT = 45;
const NEAR = "600px 0px";

export interface Place {
  row: number;
  col: LineField;
}

interface Props {
  lines: readonly GridLine[];
  dates: LineDates;
  tried: boolean;
  refused: ReadonlyMap<number, Refused>;
  /** The days that are offered for new lines, by product. */
  offered: OfferedDates;
  actions: LineActions;
  /** The cell to focus. A new object each time. */
  goTo: Place | null;
  /** Must be stable between renders. */
  onGoTo: (place: Place) => void;
}

export function LineGrid(props: Props) {
  const { lines, dates, tried, refused, offered, actions, goTo, onGoTo } = props;
  const { t } = useTranslation(["orders", "forecast"]);
  const root = useRef<HTMLDivElement>(null);
  const [detailed, setDetailed] = useState<number | null>(null);
  const twice = useMemo(() => twiceIn(lines), [lines]);
  const goToQuantity = useCallback((row: number) => onGoTo({ row, col: "quantity" }), [onGoTo]);

  useLayoutEffect(() => {
    if (goTo !== null) focusCell(root.current, goTo);
  }, [goTo]);

  function onKeyDown(event: KeyboardEvent) {
    const { row: at, col } = (event.target as HTMLElement).dataset;
    if (at === undefined || col === undefined || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const row = Number(at);
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const place: Place =
      event.key !== "Enter"
        ? { row: row + step, col: col as LineField }
        : col === "item"
          ? { row, col: "quantity" }
          : { row: row + 1, col: "item" };
    const line = lines[place.row];
    if (line === undefined || (event.key === "Enter" && col === "item" && isBlank(line))) return;
    // Focus a rendered row in this event, because the next key may follow at once.
    if (!focusCell(root.current, place)) onGoTo(place);
  }

  const open = lines.flatMap((line) => {
    const day = offeredFor(line, offered);
    const isOpen = typeof day === "string" && (line.deliveryDate || dates.deliveryDate) !== day;
    return isOpen ? [{ id: line.id, day }] : [];
  });
  const takeAll = () => {
    for (const { id, day } of open) actions.change(id, { deliveryDate: day });
  };
  const detailedLine = lines.find(({ id }) => id === detailed);
  const starts = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, at) => at * BLOCK);
  const blocks = starts.map((start) => {
    const part = lines.slice(start, start + BLOCK);
    return (
      <LineBlock
        key={start}
        start={start}
        count={part.length}
        wanted={goTo !== null && goTo.row >= start && goTo.row < start + BLOCK}
      >
        {() =>
          part.map((line, place) => (
            <LineRow
              key={line.id}
              line={line}
              index={start + place}
              sameNumber={twice.get(line.id)?.number}
              sameId={twice.get(line.id)?.closed === true ? undefined : twice.get(line.id)?.id}
              deliveryDate={dates.deliveryDate}
              offeredDate={offeredFor(line, offered)}
              tried={tried}
              refused={refused.get(line.id)}
              actions={actions}
              onDetails={setDetailed}
              onGo={goToQuantity}
            />
          ))
        }
      </LineBlock>
    );
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the keys of its fields
    <div className="ob-grid" ref={root} onKeyDown={onKeyDown}>
      <div className="ob-quiet ob-small ob-grid__heads" aria-hidden>
        <span />
        <span>{t("field.item")}</span>
        <span>{t("field.quantity")}</span>
        <span>{t("field.deliveryDate")}</span>
        <span>{t("field.lineNotes")}</span>
      </div>
      {blocks}
      {open.length > 1 && (
        <Button type="link" size="small" className="ob-grid__offer-all" onClick={takeAll}>
          {t("forecast:offer.takeAll", { count: open.length })}
        </Button>
      )}
      {detailedLine !== undefined && (
        <LineDetails
          key={detailedLine.id}
          line={detailedLine}
          number={lines.indexOf(detailedLine) + 1}
          dates={dates}
          actions={actions}
          onClose={() => setDetailed(null)}
        />
      )}
    </div>
  );
}

/**
 * Return the day that is offered for a new line. Null for a saved line, which keeps the day that
 * was offered.
 */
function offeredFor(
  { position, item }: GridLine,
  offered: OfferedDates,
): string | null | undefined {
  return position === undefined && item !== null ? offered.get(item.id) : null;
}

/** Focus a cell. Returns false if its row is not rendered yet. */
function focusCell(root: HTMLElement | null, { row, col }: Place): boolean {
  const cell = root?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    `[data-row="${row}"][data-col="${col}"]`,
  );
  if (!cell) return false;
  cell.focus();
  cell.select();
  return true;
}

/** A block of rows. Far from the window it only reserves their height. */
function LineBlock(props: {
  start: number;
  count: number;
  wanted: boolean;
  children: () => ReactNode;
}) {
  const { start, count, wanted, children } = props;
  const block = useRef<HTMLOListElement>(null);
  const [{ near, height }, setSeen] = useState<{ near: boolean; height: number | null }>({
    near: start === 0,
    height: null,
  });
  useEffect(() => {
    const list = block.current;
    if (list === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        const seen = entry?.isIntersecting ?? true;
        // Keep a block with the focus rendered, so that the user finds it after scrolling away.
        if (!seen && list.contains(document.activeElement)) return;
        const measured = list.childElementCount > 0 ? list.offsetHeight : null;
        // Render in a transition, so that a key press does not wait for all rows.
        startTransition(() => setSeen((now) => ({ near: seen, height: measured ?? now.height })));
      },
      { rootMargin: NEAR },
    );
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  const drawn = near || wanted;
  return (
    <ol
      ref={block}
      start={start + 1}
      {...(drawn ? {} : { style: { height: height ?? count * ROW_HEIGHT } })}
    >
      {drawn && children()}
    </ol>
  );
}

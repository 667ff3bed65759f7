/**
 * The grid of piece prices: a row for each product, a column for each process. Enter and the arrows go up and down,
 * Escape takes back what was typed, and cells copied from a sheet fill the grid from the cell in which they are pasted.
 */
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import { memo, useId, useMemo, type ClipboardEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PriceColumn, PriceRow } from "@/contract";
import { useProblemText } from "@/shared/form/NumberField";
import { formatInstant, plantCurrency } from "@/shared/format/plant";
import {
  cellKey,
  linesOf,
  pasted,
  rateText,
  readRate,
  ruleOf,
  type Cell,
  type Edit,
  type Edits,
} from "./grid";

interface Props {
  columns: readonly PriceColumn[];
  rows: readonly PriceRow[];
  edits: Edits;
  /** Messages of the server, by cell. */
  refused: ReadonlyMap<string, string>;
  /** Absent if the user may only read. */
  onType?: ((typed: readonly Edit[]) => void) | undefined;
  onUnplan: (id: number) => void;
}

export function PriceTable({ columns, rows, edits, refused, onType, onUnplan }: Props) {
  const { t } = useTranslation("catalogs");
  const currency = plantCurrency();
  const lines = useMemo(() => linesOf(columns, rows, currency), [columns, rows, currency]);

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
    const place = placeOf(event.target);
    if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const enter = event.key === "Enter";
    const isDown = event.key === "ArrowDown" || (enter && !event.shiftKey);
    if (isDown || enter || event.key === "ArrowUp") {
      event.preventDefault();
      const row = place.row + (isDown ? 1 : -1);
      const next = event.currentTarget.querySelector<HTMLInputElement>(
        `[data-row="${row}"][data-col="${place.col}"]`,
      );
      next?.focus();
      next?.select();
    } else if (event.key === "Escape") {
      const cell = lines[place.row]?.cells[place.col];
      if (cell !== undefined) onType?.([{ ...cell, text: cell.saved }]);
    }
  }

  function onPaste(event: ClipboardEvent<HTMLTableElement>) {
    const place = placeOf(event.target);
    const text = event.clipboardData.getData("text/plain");
    if (place === null || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    onType?.(pasted(text, lines, place.row, place.col));
  }

  return (
    <div
      className="ob-surface ob-price-grid"
      role="region"
      aria-label={t("piecePrices.grid")}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
      tabIndex={0}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the fields in it take the keys */}
      <table className="ob-plain-table" onKeyDown={onKeyDown} onPaste={onPaste}>
        <thead>
          <tr>
            <th scope="col" className="ob-price-grid__product">
              {t("piecePrices.product")}
            </th>
            {columns.map(({ productionProcessId, productionProcessName }) => (
              <th key={productionProcessId} scope="col" className="ob-breaks">
                {productionProcessName}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ itemId, key, name, cells }, row) => {
            const called = itemId === null ? t("piecePrices.all") : `${key} ${name}`;
            return (
              <tr key={itemId ?? "all"}>
                <th scope="row" className="ob-price-grid__product">
                  {itemId === null ? (
                    <strong>{called}</strong>
                  ) : (
                    <>
                      <strong className="ob-breaks">{key}</strong>
                      <small className="ob-quiet ob-two-rows">{name}</small>
                    </>
                  )}
                </th>
                {cells.map((cell, col) => (
                  <PriceField
                    key={cell.processId}
                    cell={cell}
                    text={edits.get(cellKey(cell))?.text ?? cell.saved}
                    label={t("piecePrices.cell", {
                      product: called,
                      process: columns[col]?.productionProcessName ?? "",
                    })}
                    row={row}
                    col={col}
                    refused={refused.get(cellKey(cell))}
                    onType={onType}
                    onUnplan={onUnplan}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The place of a field in the grid; null for anything else. */
function placeOf(target: EventTarget): { row: number; col: number } | null {
  if (!(target instanceof HTMLInputElement)) return null;
  const { row, col } = target.dataset;
  return row === undefined || col === undefined ? null : { row: Number(row), col: Number(col) };
}

interface FieldProps extends Pick<Props, "onType" | "onUnplan"> {
  cell: Cell;
  text: string;
  label: string;
  row: number;
  col: number;
  refused: string | undefined;
}

/** One cell. A plain input that renders only if it changed: a grid has hundreds of them. */
const PriceField = memo(function PriceField(props: FieldProps) {
  const { cell, text, label, row, col, refused, onType, onUnplan } = props;
  const { t } = useTranslation(["catalogs", "forms"]);
  const whyId = useId();
  const currency = plantCurrency();
  const rule = ruleOf(cell, currency);
  const words = { missing: t("piecePrices.required") };
  const problem = useProblemText(readRate(text, rule).price, rule, words);
  const why = refused ?? problem;
  return (
    <td>
      {onType === undefined ? (
        <span className={cell.saved === "" ? "ob-quiet" : "ob-strong"}>
          {cell.saved || cell.inherited}
        </span>
      ) : (
        <input
          data-row={row}
          data-col={col}
          className={
            text === cell.saved
              ? `ob-price-grid__input${text === "" ? "" : " ob-price-grid__input--own"}`
              : "ob-price-grid__input ob-price-grid__input--typed"
          }
          autoComplete="off"
          aria-label={label}
          aria-invalid={why !== null}
          aria-describedby={why === null ? undefined : whyId}
          placeholder={cell.inherited}
          value={text}
          onChange={({ target }) => onType([{ ...cell, text: target.value }])}
        />
      )}
      {why !== null && (
        <span className="ob-number__why" id={whyId} role="alert">
          {why}
        </span>
      )}
      {cell.planned.map(({ id, price, unit, since }) => {
        const said = t("piecePrices.planned", {
          price: price === null ? t("piecePrices.none") : rateText(price, unit, currency),
          when: formatInstant(since),
        });
        return (
          <small key={id} className="ob-quiet ob-price-grid__planned">
            {said}
            {onType !== undefined && (
              <button
                type="button"
                className="ob-icon-button"
                aria-label={t("piecePrices.unplan", { price: said })}
                onClick={() => onUnplan(id)}
              >
                <DeleteOutlined aria-hidden />
              </button>
            )}
          </small>
        );
      })}
    </td>
  );
});

/** A list from the server, with sorting, "show more" and the total count; a table, or cards on touch screens. */
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Skeleton from "antd/es/skeleton";
import Table, { type ColumnsType, type ColumnType } from "antd/es/table";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useHand } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { useRowKeys } from "@/shared/keyboard/useRowKeys";
import "./DataTable.css";

export type Columns<T> = ColumnsType<T>;

export interface RowSelection<T> {
  keys: readonly string[];
  onChange: (keys: string[]) => void;
  /** The row's name for its checkbox. Without it, cards get no checkbox here, because the page renders its own. */
  nameOf?: (row: T) => string;
}

interface Props<T extends object> {
  rowKey: keyof T | ((row: T) => string);
  columns: Columns<T>;
  /** Share the available width by the columns' widths: the table does not scroll sideways, and its head sticks. */
  fits?: boolean;
  /** undefined until the first answer: a skeleton is shown. */
  rows: T[] | undefined;
  total: number;
  /** False if there are more than `total`. */
  exact?: boolean;
  /** `field` or `-field`; a column with `sorter: true` sorts by its `key`. */
  ordering?: string;
  onOrder?: (ordering: string) => void;
  onMore?: (() => void) | undefined;
  /** Runs on a click anywhere on a row. The first column should have a link that does the same by keyboard. */
  onOpen?: (row: T) => void;
  rowClassName?: (row: T) => string;
  /** Renders a row as a card on touch screens; without it, the card is built from the columns. */
  renderCard?: (row: T) => ReactNode;
  selection?: RowSelection<T>;
  empty: ReactNode;
  label: string;
}

export function DataTable<T extends object>(props: Props<T>) {
  const { rowKey, columns, rows, total, ordering = "", onOrder, onMore, onOpen } = props;
  const { t } = useTranslation("shared");
  const language = useLanguage();
  const cards = useHand();
  const number = (value: number) => formatNumber(value, language);
  const keyOf = (row: T) =>
    typeof rowKey === "function" ? rowKey(row) : String(row[rowKey as keyof T]);
  const { box, onRow } = useRowKeys<T>({
    rows: cards ? [] : (rows ?? []),
    onOpen,
    onTick: props.selection && ticking(props.selection, keyOf),
  });

  if (rows === undefined) {
    return (
      <div className="ob-surface ob-table__waiting" aria-busy="true" aria-label={props.label}>
        <Skeleton active title={false} paragraph={{ rows: 8, width: "100%" }} />
      </div>
    );
  }
  if (rows.length === 0) return <div className="ob-surface">{props.empty}</div>;

  const sortable = columns.map((column) =>
    "sorter" in column && column.sorter === true
      ? { ...column, sortOrder: sortOrder(String(column.key), ordering) }
      : column,
  );
  const tickName = (row: T) => {
    const name = props.selection?.nameOf?.(row);
    return name === undefined
      ? t("table.selectRow", { number: number(rows.indexOf(row) + 1) })
      : t("table.selectNamed", { name });
  };
  return (
    <section
      className={`ob-surface ob-table ${props.fits === true ? "ob-table--fits" : ""}`}
      aria-label={props.label}
      ref={box}
    >
      {cards && (
        <ul className="ob-ruled">
          {rows.map((row, index) => (
            <li key={keyOf(row)} className={`ob-table__card ${props.rowClassName?.(row) ?? ""}`}>
              {props.selection?.nameOf !== undefined && (
                <CardTick row={row} name={keyOf(row)} selection={props.selection} />
              )}
              {props.renderCard?.(row) ?? <ColumnCard columns={columns} row={row} index={index} />}
            </li>
          ))}
        </ul>
      )}
      {!cards && (
        <Table<T>
          rowKey={rowKey as string}
          columns={sortable}
          dataSource={rows}
          size="middle"
          pagination={false}
          showSorterTooltip={false}
          {...(props.fits === true
            ? { tableLayout: "fixed" as const }
            : // With a horizontal scroll, texts still wrap before the table gets wider than the window.
              { scroll: { x: "100%" } })}
          {...(props.rowClassName === undefined ? {} : { rowClassName: props.rowClassName })}
          {...(props.selection === undefined
            ? {}
            : {
                rowSelection: {
                  selectedRowKeys: [...props.selection.keys],
                  onChange: (keys) => props.selection?.onChange(keys.map(String)),
                  getTitleCheckboxProps: () => ({ "aria-label": t("table.selectAll") }),
                  getCheckboxProps: (row) => ({ "aria-label": tickName(row) }),
                },
              })}
          onRow={(row, index) => ({
            ...onRow(row, index),
            ...(onOpen === undefined
              ? {}
              : { className: "ob-table__row", onClick: () => onOpen(row) }),
          })}
          onChange={(_pagination, _filters, sorter) => {
            const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
            const sign = order === "descend" ? "-" : "";
            onOrder?.(order === null || order === undefined ? "" : `${sign}${String(columnKey)}`);
          }}
        />
      )}
      <footer className="ob-row ob-apart ob-quiet ob-table__footer">
        <span role="status">
          {t(props.exact === false ? "table.countOfMore" : "table.count", {
            shown: number(rows.length),
            total: number(total),
          })}
        </span>
        {onMore !== undefined && <Button onClick={onMore}>{t("table.more")}</Button>}
      </footer>
    </section>
  );
}

/** Return a function that toggles the selection of a row. */
function ticking<T>({ keys, onChange }: RowSelection<T>, keyOf: (row: T) => string) {
  return (row: T) => {
    const key = keyOf(row);
    onChange(keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]);
  };
}

function CardTick<T>(props: { row: T; name: string; selection: RowSelection<T> }) {
  const { row, name, selection } = props;
  const { keys, onChange } = selection;
  return (
    <Checkbox
      className="ob-table__tick"
      aria-label={selection.nameOf?.(row) ?? name}
      checked={keys.includes(name)}
      onChange={({ target }) =>
        onChange(target.checked ? [...keys, name] : keys.filter((key) => key !== name))
      }
    />
  );
}

/** The default card of a row: the first column is its head, the others have a label; empty values are omitted. */
function ColumnCard<T extends object>(props: { columns: Columns<T>; row: T; index: number }) {
  const { columns, row, index } = props;
  const [head, ...rest] = columns as ColumnType<T>[];
  const shown = (column: ColumnType<T>): ReactNode => {
    const value =
      typeof column.dataIndex === "string" ? row[column.dataIndex as keyof T] : undefined;
    return column.render === undefined
      ? (value as ReactNode)
      : (column.render(value, row, index) as ReactNode);
  };
  return (
    <div className="ob-column-card ob-padded">
      {head !== undefined && <div className="ob-large ob-strong">{shown(head)}</div>}
      <dl className="ob-column-card__fields">
        {rest.map((column) => {
          const value = shown(column);
          if (value === null || value === undefined || value === "") return null;
          return (
            <div key={String(column.key)}>
              <dt>{column.title as ReactNode}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

function sortOrder(field: string, ordering: string): "ascend" | "descend" | null {
  if (ordering === field) return "ascend";
  return ordering === `-${field}` ? "descend" : null;
}

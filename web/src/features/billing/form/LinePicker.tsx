/** Tick the customer's finished lines. Ticked lines are on the bill, with quantity and price. */
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Form from "antd/es/form";
import Skeleton from "antd/es/skeleton";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { BillableLine } from "@/contract";
import { PAGE_SIZE } from "@/shared/hooks/useTableQuery";
import type { List } from "@/shared/http/data";
import { toastError } from "@/shared/ui/errors";
import { SearchField } from "@/shared/ui/SearchField";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { typedAt } from "@/shared/form/FormParts";
import { useBillable } from "../billing.api";
import { PickerRow } from "./PickerRow";
import { RateHelp } from "./RateHelp";
import { rowsOf, type Row } from "./rows";
import { lineKey, ticked, type BillValues, type LineValues } from "./values";
import "./form.css";

const COLUMNS = ["delivery", "remaining", "quantity", "price", "tax", "amount"] as const;

interface Props {
  customerId: number;
  /** Called after prices were filled in at a rate. */
  onConverted: () => void;
}

export function LinePicker({ customerId, onConverted }: Props) {
  const { t } = useTranslation(["billing", "shared"]);
  const [search, setSearch] = useState("");
  const [show, setShow] = useState(PAGE_SIZE);
  const form = Form.useFormInstance<BillValues>();
  const list = useBillable(customerId, search, { show, more: () => setShow(show + PAGE_SIZE) });
  const { rows: billable, total, isLoading, more, error, retry } = list;
  const currency = Form.useWatch<string | undefined>("currency") ?? "";
  const whole = !isLoading && more === undefined && search === "";
  if (error !== undefined) return <LoadFailed error={error} onRetry={retry} />;
  if (billable === undefined) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  return (
    <>
      {(total > 1 || search !== "") && (
        <div className="ob-below ob-picker__search">
          <SearchField value={search} label={t("lines.search")} onSearch={setSearch} />
        </div>
      )}
      <Form.List
        name="lines"
        rules={[
          {
            validator: async (_rule, lines: LineValues[] | undefined) => {
              if ((lines ?? []).length === 0) throw new Error(t("form.noLines"));
            },
          },
        ]}
      >
        {(fields, { add, remove }, { errors }) => (
          <>
            <RateHelp onConverted={onConverted} />
            <PickerTable
              rows={(onBill) => rowsOf(onBill, billable, whole, currency)}
              names={fields.map(({ name }) => name)}
              onAdd={(lines) => lines.forEach((line) => add(line))}
              onRemove={remove}
              onExpired={retry}
              empty={
                search === "" ? (
                  <EmptyState drawing="ring" title={t("lines.none")} hint={t("lines.noneHint")} />
                ) : (
                  <p className="ob-quiet">{t("shared:table.noMatch")}</p>
                )
              }
            />
            {more !== undefined && (
              <p className="ob-row ob-above">
                <span role="status">
                  {t("lines.chosen", {
                    chosen: fields.length,
                    shown: billable.length,
                    total,
                  })}
                </span>
                <Button onClick={more}>{t("shared:table.more")}</Button>
                <TickRest
                  total={total}
                  load={list.loadUpTo}
                  onLoaded={(found) => {
                    const onBill = new Set((typedAt(form, "lines") ?? []).map(lineKey));
                    for (const line of found)
                      if (!onBill.has(lineKey(line))) add(ticked(line, currency));
                    setShow(found.length);
                  }}
                />
              </p>
            )}
            <div role="alert">
              <Form.ErrorList errors={errors} />
            </div>
          </>
        )}
      </Form.List>
    </>
  );
}

/**
 * Most lines to tick at once, because each line adds fields to the form. A longer bill is ticked in
 * several steps.
 */
export const MOST_AT_ONCE = 200;

function TickRest(props: {
  total: number;
  load: (most: number) => Promise<List<BillableLine>>;
  onLoaded: (lines: BillableLine[]) => void;
}) {
  const { t } = useTranslation("billing");
  const [busy, setBusy] = useState(false);
  const most = Math.min(props.total, MOST_AT_ONCE);

  async function tickAll() {
    setBusy(true);
    try {
      props.onLoaded((await props.load(most)).rows);
    } catch (reason) {
      toastError(reason);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button loading={busy} onClick={() => void tickAll()}>
      {t(most < props.total ? "lines.tickFirst" : "lines.tickRest", { total: most })}
    </Button>
  );
}

interface TableProps {
  rows: (onBill: LineValues[]) => Row[];
  /** Indexes of the bill's lines in the form. */
  names: number[];
  onAdd: (lines: LineValues[]) => void;
  onRemove: (names: number | number[]) => void;
  onExpired: () => void;
  empty: ReactNode;
}

function PickerTable(props: TableProps) {
  const { rows: rowsFor, names, onAdd, onRemove, onExpired, empty } = props;
  const { t } = useTranslation("billing");
  const form = Form.useFormInstance<BillValues>();
  const onBill = typedAt(form, "lines") ?? [];
  const rows = rowsFor(onBill);
  if (rows.length === 0) return empty;
  const nameOf = (row: Row) => names[onBill.findIndex((line) => lineKey(line) === row.key)];
  const open = rows.filter((row) => nameOf(row) === undefined);
  return (
    <table className="ob-plain-table ob-picker">
      <thead>
        <tr>
          <th scope="col" className="ob-picker__item">
            <Checkbox
              checked={open.length === 0}
              indeterminate={open.length > 0 && open.length < rows.length}
              onChange={() =>
                open.length > 0 ? onAdd(open.map(({ line }) => line)) : onRemove(names)
              }
            >
              {t("lines.tickAll")}
            </Checkbox>
          </th>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className={`ob-picker__${column}`}>
              {t(`lines.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const name = nameOf(row);
          return (
            <PickerRow
              key={row.key}
              row={row}
              name={name}
              onExpired={onExpired}
              onTick={() => (name === undefined ? onAdd([row.line]) : onRemove(name))}
            />
          );
        })}
      </tbody>
    </table>
  );
}

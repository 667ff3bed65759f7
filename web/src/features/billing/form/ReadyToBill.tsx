/**
 * List the finished lines that are not billed, by customer. A click puts all lines of a customer on
 * the bill.
 */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import type { BillableLine } from "@/contract";
import { useList } from "@/shared/http/data";
import { BILLABLE } from "@/shared/http/keys";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { MOST_AT_ONCE } from "./LinePicker";

interface Props {
  onChoose: (lines: BillableLine[]) => void;
}

export function ReadyToBill({ onChoose }: Props) {
  const { t } = useTranslation("billing");
  const list = useList(BILLABLE, {}, { show: MOST_AT_ONCE, more: () => undefined });
  const { rows, error, retry, total } = list;
  if (error !== undefined) return <LoadFailed error={error} onRetry={retry} />;
  if (rows === undefined) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  if (rows.length === 0) {
    return <EmptyState drawing="ring" title={t("ready.none")} hint={t("lines.noneHint")} />;
  }
  const customers = byCustomer(rows);
  return (
    <>
      <p className="ob-quiet">{t("form.customerFirst")}</p>
      <ul className="ob-choose ob-ruled ob-ready" aria-label={t("ready.label")}>
        {[...customers].map(([customerId, lines]) => (
          <li key={customerId}>
            <button type="button" className="ob-choose__row" onClick={() => onChoose(lines)}>
              <strong>{lines[0]?.customerName}</strong>
              <span className="ob-quiet">
                {t("linesCount", { count: lines.length })} ·{" "}
                {t("pieces", { count: lines.reduce((sum, line) => sum + line.remaining, 0) })}
              </span>
              <span className="ob-quiet ob-breaks ob-ready__orders">
                {[...new Set(lines.map((line) => line.customerSalesOrderId))].join(", ")}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className="ob-quiet">{t("ready.first", { count: rows.length, total })}</p>
      )}
    </>
  );
}

/**
 * Group the lines by customer. The customer with the line that is due first comes first, as in the
 * list.
 */
function byCustomer(rows: readonly BillableLine[]): Map<number, BillableLine[]> {
  const found = new Map<number, BillableLine[]>();
  for (const row of rows) {
    const lines = found.get(row.customerId) ?? [];
    lines.push(row);
    found.set(row.customerId, lines);
  }
  return found;
}

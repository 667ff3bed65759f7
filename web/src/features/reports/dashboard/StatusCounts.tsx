/** Show orders by status, as bars and as a table. A click lists the orders behind a number. */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import type { OrderStatus } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useNarrow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { ORDER_STATUSES } from "@/entities/statuses";
import { StatusChip } from "@/shared/ui/Chip";
import type { Period } from "../periods";
import { useStatusCounts } from "../reports.api";
import { Bars } from "./Bars";

const COLORS: Record<OrderStatus, string> = {
  New: "var(--ob-control-border)",
  PartiallyApproved: "var(--ob-primary-half)",
  Approved: "var(--ob-primary)",
  InProcess: "var(--ob-working)",
  Done: "var(--ob-success)",
  Invoiced: "var(--ob-violet)",
  Canceled: "var(--ob-muted)",
};

interface Props {
  period: Period;
  onOpen: (status: OrderStatus) => void;
}

export function StatusCounts({ period, onOpen }: Props) {
  const { t } = useTranslation(["reports", "shared"]);
  const language = useLanguage();
  const counts = useStatusCounts(period);
  const countOf = (status: OrderStatus) => counts?.find((row) => row.status === status)?.count ?? 0;
  const narrow = useNarrow();
  const total = (counts ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <section
      className="ob-surface ob-stack ob-stack--wide ob-padded"
      aria-labelledby="ob-by-status"
    >
      <h2 id="ob-by-status">{t("dashboard.byStatus")}</h2>
      {counts === undefined ? (
        <div className="ob-stack ob-stack--wide ob-by-status--waiting">
          <Skeleton active title={false} paragraph={{ rows: 10 }} />
        </div>
      ) : (
        <div className="ob-stack ob-stack--wide">
          <Bars
            direction={narrow ? "right" : "up"}
            unit={t("column.orders")}
            rows={ORDER_STATUSES.map((status) => ({
              key: status,
              name: t(`shared:status.${status}`),
              value: countOf(status),
              color: COLORS[status],
            }))}
            onPick={(status) => onOpen(status as OrderStatus)}
          />
          <table className="ob-plain-table ob-figures">
            <thead>
              <tr>
                <th scope="col">{t("column.status")}</th>
                <th scope="col">{t("column.orders")}</th>
              </tr>
            </thead>
            <tbody>
              {ORDER_STATUSES.map((status) => (
                <tr key={status}>
                  <th scope="row">
                    <StatusChip status={status} />
                  </th>
                  <td>
                    <button
                      type="button"
                      className="ob-figures__open"
                      disabled={countOf(status) === 0}
                      aria-label={t("dashboard.open", {
                        status: t(`shared:status.${status}`),
                        count: countOf(status),
                      })}
                      onClick={() => onOpen(status)}
                    >
                      {formatNumber(countOf(status), language)}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t("dashboard.total")}</th>
                <td>{formatNumber(total, language)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </section>
  );
}

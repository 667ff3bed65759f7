/** Orders by status, as columns and as a table; a click opens the orders behind a number. */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import type { OrderStatus } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { ORDER_STATUSES } from "@/shared/statuses";
import { StatusChip } from "@/shared/ui/Chip";
import type { Period } from "../periods";
import { useStatusCounts } from "../reports.api";

interface Props {
  period: Period;
  onOpen: (status: OrderStatus) => void;
}

export function StatusCounts({ period, onOpen }: Props) {
  const { t } = useTranslation(["reports", "shared"]);
  const language = useLanguage();
  const counts = useStatusCounts(period);
  const countOf = (status: OrderStatus) => counts?.find((row) => row.status === status)?.count ?? 0;
  const most = Math.max(1, ...(counts ?? []).map(({ count }) => count));
  const total = (counts ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="ob-surface ob-dashboard__part" aria-labelledby="ob-by-status">
      <h2 id="ob-by-status">{t("dashboard.byStatus")}</h2>
      {counts === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 7 }} />
      ) : (
        <div className="ob-by-status">
          <div className="ob-by-status__columns" aria-hidden>
            {ORDER_STATUSES.map((status) => (
              <button
                key={status}
                type="button"
                tabIndex={-1}
                className="ob-by-status__column"
                title={t(`shared:status.${status}`)}
                disabled={countOf(status) === 0}
                onClick={() => onOpen(status)}
              >
                <span>{formatNumber(countOf(status), language)}</span>
                <span
                  className={`ob-by-status__bar ob-by-status__bar--${status}`}
                  style={{ height: `${Math.round((100 * countOf(status)) / most)}%` }}
                />
              </button>
            ))}
          </div>
          <table className="ob-figures">
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

/** List the records of a payment. In narrow windows, process and person are below the line. */
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useNarrow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { Money } from "@/shared/ui/Facts";
import { lineName } from "../pay/columns";

export function PaidItems({ items, currency }: Pick<Payment, "items" | "currency">) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const narrow = useNarrow();
  return (
    <div
      className="ob-surface ob-paid-items"
      role="region"
      aria-label={t("paid.items")}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
      tabIndex={0}
    >
      <table className="ob-plain-table">
        <thead>
          <tr>
            <th scope="col">{t("column.line")}</th>
            {!narrow && <th scope="col">{t("column.process")}</th>}
            {!narrow && <th scope="col">{t("column.person")}</th>}
            <th scope="col">{t("column.pieces")}</th>
            <th scope="col">{t("column.price")}</th>
            <th scope="col">{t("column.amount")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.processRecordId}>
              <td>
                <strong>{lineName(item)}</strong>
                <small className="ob-quiet">{item.itemName}</small>
                {narrow && <small>{item.productionProcessName}</small>}
                {narrow && <small>{item.outputUsername}</small>}
              </td>
              {!narrow && <td>{item.productionProcessName}</td>}
              {!narrow && <td>{item.outputUsername}</td>}
              <td>{formatNumber(item.quantity, language)}</td>
              <td>
                <Money amount={item.price} currency={currency} />
              </td>
              <td>
                <Money amount={item.amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

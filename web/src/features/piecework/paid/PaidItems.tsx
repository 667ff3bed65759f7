/** List the records of a payment: as a table, in narrow windows as cards. */
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useNarrow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { Money } from "@/shared/ui/Facts";
import { Grams, lineName, Price } from "../pay/columns";

export function PaidItems({ items, currency }: Pick<Payment, "items" | "currency">) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  if (useNarrow()) {
    return (
      <ul className="ob-surface ob-ruled" aria-label={t("paid.items")}>
        {items.map((item) => (
          <li key={item.processRecordId} className="ob-stack ob-stack--tight ob-paid-item">
            <span className="ob-bar ob-apart">
              <strong className="ob-breaks">{lineName(item)}</strong>
              <Money amount={item.amount} currency={currency} />
            </span>
            <span className="ob-breaks">{item.itemName}</span>
            <span className="ob-words ob-apart ob-quiet">
              <span>
                {item.productionProcessName} · {item.outputUsername}
              </span>
              <span>
                {item.unit === "gram" ? (
                  <Grams grams={item.grams} />
                ) : (
                  formatNumber(item.quantity, language)
                )}
                {" × "}
                <Price of={item} currency={currency} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    );
  }
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
            <th scope="col">{t("column.process")}</th>
            <th scope="col">{t("column.person")}</th>
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
              </td>
              <td>{item.productionProcessName}</td>
              <td>{item.outputUsername}</td>
              <td>
                {formatNumber(item.quantity, language)}
                {item.unit === "gram" && (
                  <small className="ob-quiet">
                    <Grams grams={item.grams} />
                  </small>
                )}
              </td>
              <td>
                <Price of={item} currency={currency} />
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

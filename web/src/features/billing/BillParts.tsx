/** Parts shared by the screens of a bill: totals and name. */
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { Money } from "@/shared/ui/Facts";
import "./billing.css";

interface Props {
  subtotal: number | null;
  tax: number | null;
  shipping: number | null;
  total: number | null;
  currency: string;
}

export function Totals({ currency, ...amounts }: Props) {
  const { t } = useTranslation("billing");
  return (
    <dl className="ob-totals" aria-label={t("totals.label")}>
      {(["subtotal", "tax", "shipping"] as const).map((name) => (
        <div key={name} className="ob-words ob-apart ob-totals__row">
          <dt>{t(`totals.${name}`)}</dt>
          <dd>
            <Money amount={amounts[name]} currency={currency} />
          </dd>
        </div>
      ))}
      <div className="ob-words ob-apart ob-totals__row ob-totals__row--total">
        <dt>{t("totals.total")}</dt>
        <dd>
          <Money amount={amounts.total} currency={currency} />
        </dd>
      </div>
    </dl>
  );
}

/** Name a bill: "Factura F-0004", or "Prefactura P-0004" if it was never issued. */
export function useBillName(): (bill: Pick<Delivery, "number">) => string {
  const { t } = useTranslation("billing");
  return ({ number }) => t(number.startsWith("P-") ? "name.preBill" : "name.bill", { number });
}

/** What a bill comes to: subtotal, tax, shipping, total; null while something in it cannot be taken. */
import { useTranslation } from "react-i18next";
import { Money } from "@/shared/ui/Money";
import "./totals.css";

interface Props {
  subtotal: number | null;
  tax: number | null;
  shipping: number | null;
  total: number | null;
  currency: string;
}

export function Totals({ currency, ...amounts }: Props) {
  const { t } = useTranslation("bills");
  return (
    <dl className="ob-totals" aria-label={t("totals.label")}>
      {(["subtotal", "tax", "shipping"] as const).map((name) => (
        <div key={name} className="ob-totals__row">
          <dt>{t(`totals.${name}`)}</dt>
          <dd>
            <Money amount={amounts[name]} currency={currency} />
          </dd>
        </div>
      ))}
      <div className="ob-totals__row ob-totals__row--total">
        <dt>{t("totals.total")}</dt>
        <dd>
          <Money amount={amounts.total} currency={currency} />
        </dd>
      </div>
    </dl>
  );
}

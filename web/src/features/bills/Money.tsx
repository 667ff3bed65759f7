/** An amount and its currency. */
import { formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import "./money.css";

export function Money({ amount, currency }: { amount: number; currency?: string }) {
  const language = useLanguage();
  return (
    <span className="ob-money">
      {formatMoney(amount, language)}
      {currency !== undefined && <span className="ob-money__currency"> {currency}</span>}
    </span>
  );
}

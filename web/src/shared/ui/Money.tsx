/** An amount and its currency in the reader's numerals, figures under figures. */
import { formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import "./Money.css";

export function Money({ amount, currency }: { amount: number; currency: string }) {
  return <span className="ob-money">{formatMoney(amount, currency, useLanguage())}</span>;
}

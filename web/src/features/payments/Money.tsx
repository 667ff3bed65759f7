/** An amount in the reader's numerals, figures under figures. */
import { formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";

export function Money({ amount }: { amount: number }) {
  const language = useLanguage();
  return <span className="ob-amount">{formatMoney(amount, language)}</span>;
}

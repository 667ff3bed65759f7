/** An amount and its currency in the reader's numerals, figures under figures; null is an amount that nobody knows yet. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import "./Money.css";

export function Money({ amount, currency }: { amount: number | null; currency: string }) {
  const { t } = useTranslation("shared");
  const language = useLanguage();
  return (
    <span className="ob-money">
      {amount === null ? t("none") : formatMoney(amount, currency, language)}
    </span>
  );
}

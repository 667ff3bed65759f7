/** Show a record's values with their names, amounts of money, weights, and the total of a list. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatHeavy, formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import "./ui.css";

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="ob-surface ob-facts">{children}</dl>;
}

interface Props {
  name: string;
  /** Whether the value takes a whole row, as notes do. */
  wide?: boolean;
  children: ReactNode;
}

export function Fact({ name, wide = false, children }: Props) {
  return (
    <div className={wide ? "ob-facts__fact ob-facts__fact--wide" : "ob-facts__fact"}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An amount and its currency, in figures of equal width; null is an unknown amount. */
export function Money({ amount, currency }: { amount: number | null; currency: string }) {
  const { t } = useTranslation("shared");
  const language = useLanguage();
  return (
    <span className="ob-nowrap">
      {amount === null ? t("none") : formatMoney(amount, currency, language)}
    </span>
  );
}

/** A weight of metal; null is an unknown one. */
export function Grams({ grams }: { grams: number | null }) {
  const { t } = useTranslation("shared");
  const language = useLanguage();
  return (
    <span className="ob-nowrap">{grams === null ? t("none") : formatHeavy(grams, language)}</span>
  );
}

interface ListSumProps {
  label: string;
  sum: string;
  note: ReactNode;
}

/** The total of a whole list, including rows not shown, and a note on its parts. */
export function ListSum({ label, sum, note }: ListSumProps) {
  return (
    <p className="ob-words ob-list-sum" role="status">
      <span>{label}</span>
      <strong>{sum}</strong>
      <span className="ob-quiet">{note}</span>
    </p>
  );
}

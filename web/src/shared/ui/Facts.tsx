/** What a record is, name by name; amounts, and what a list comes to. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import "./ui.css";

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="ob-surface ob-facts">{children}</dl>;
}

interface Props {
  name: string;
  /** In a row of its own: notes. */
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

/** An amount and its currency in the reader's numerals, figures under figures; null is an amount that nobody knows yet. */
export function Money({ amount, currency }: { amount: number | null; currency: string }) {
  const { t } = useTranslation("shared");
  const language = useLanguage();
  return (
    <span className="ob-money">
      {amount === null ? t("none") : formatMoney(amount, currency, language)}
    </span>
  );
}

interface ListSumProps {
  label: string;
  sum: string;
  note: ReactNode;
}

/** What a list comes to, shown or not: a sum and what it is made of. */
export function ListSum({ label, sum, note }: ListSumProps) {
  return (
    <p className="ob-list-sum" role="status">
      <span>{label}</span>
      <strong>{sum}</strong>
      <span className="ob-quiet">{note}</span>
    </p>
  );
}

/** What a list comes to, shown or not: a sum and what it is made of. */
import type { ReactNode } from "react";
import "./ListSum.css";

interface Props {
  label: string;
  sum: string;
  note: ReactNode;
}

export function ListSum({ label, sum, note }: Props) {
  return (
    <p className="ob-list-sum" role="status">
      <span>{label}</span>
      <strong>{sum}</strong>
      <span className="ob-quiet">{note}</span>
    </p>
  );
}

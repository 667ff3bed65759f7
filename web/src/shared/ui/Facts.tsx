/** What a record is, name by name. */
import type { ReactNode } from "react";
import "./Facts.css";

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

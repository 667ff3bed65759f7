/** What is selected in a list, and what may be done with it; stays in view while the list scrolls. */
import type { ReactNode } from "react";
import "./SelectionBar.css";

interface Props {
  /** Whose selection, for screen readers. */
  label: string;
  said: ReactNode;
  children: ReactNode;
}

export function SelectionBar({ label, said, children }: Props) {
  return (
    <div className="ob-selection" role="region" aria-label={label}>
      <span className="ob-selection__said" role="status">
        {said}
      </span>
      {children}
    </div>
  );
}

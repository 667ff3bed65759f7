/** Nothing to show: says so, and what to do next. */
import type { ReactNode } from "react";
import "./states.css";

interface Props {
  title: string;
  hint?: string;
  action?: ReactNode;
}

export function EmptyState({ title, hint, action }: Props) {
  return (
    <div className="ob-state">
      <svg className="ob-state__mark" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="14" />
        <path d="M24 4v12" />
      </svg>
      <p className="ob-state__title">{title}</p>
      {hint !== undefined && <p className="ob-state__hint">{hint}</p>}
      {action}
    </div>
  );
}

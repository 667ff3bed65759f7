/** The top of a page: its name, how many there are, and what can be done. */
import type { ReactNode } from "react";
import "./PageTitle.css";

interface Props {
  title: ReactNode;
  /** Beside the name: a status chip, for one. */
  aside?: ReactNode;
  /** A quiet line below. */
  note?: ReactNode;
  actions?: ReactNode;
}

export function PageTitle({ title, aside, note, actions }: Props) {
  return (
    <header className="ob-page-title">
      <div className="ob-page-title__words">
        <div className="ob-page-title__row">
          <h1>{title}</h1>
          {aside}
        </div>
        {note !== undefined && <p className="ob-page-title__note">{note}</p>}
      </div>
      {actions !== undefined && <div className="ob-page-title__actions">{actions}</div>}
    </header>
  );
}

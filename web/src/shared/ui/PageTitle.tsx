/** The top of a page: the way back, its name, how many there are, and what can be done. */
import ArrowLeftOutlined from "@ant-design/icons/es/icons/ArrowLeftOutlined";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useKeptFocus } from "@/shared/hooks/focus";
import "./ui.css";

interface Props {
  title: ReactNode;
  /** Beside the name: a status chip, for one. */
  aside?: ReactNode;
  /** A quiet line below. */
  note?: ReactNode;
  actions?: ReactNode;
  /** What the browser's tab is called: the name of a record. Without it, that of the page. */
  tab?: string;
}

export function PageTitle({ title, aside, note, actions, tab }: Props) {
  const { t } = useTranslation("shared");
  const product = t("product");
  const bar = useKeptFocus<HTMLDivElement>();
  // Each time: in another language the page has called the tab anew.
  useEffect(() => {
    if (tab !== undefined) document.title = `${tab} · ${product}`;
  });
  return (
    <header className="ob-page-title">
      <div className="ob-page-title__words">
        <div className="ob-page-title__row">
          <h1>{title}</h1>
          {aside}
        </div>
        {note !== undefined && <p className="ob-page-title__note">{note}</p>}
      </div>
      {actions !== undefined && (
        <div className="ob-page-title__actions" ref={bar}>
          {actions}
        </div>
      )}
    </header>
  );
}

/** From a record to the list it stands in. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="ob-back" to={to}>
      <ArrowLeftOutlined aria-hidden /> {children}
    </Link>
  );
}

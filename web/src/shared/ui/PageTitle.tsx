/** The top of a page: its title, a note such as the count, and its actions; and the link back to a list. */
import ArrowLeftOutlined from "@ant-design/icons/es/icons/ArrowLeftOutlined";
import { useEffect, type ReactNode } from "react";
import { Link } from "react-router";
import { useTabTitle } from "@/shared/hooks/useBrand";
import "./ui.css";

interface Props {
  title: ReactNode;
  /** Shown beside the title, such as a status chip. */
  aside?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  /** The title of the browser's tab: the name of a record. Without it, the page's title. */
  tab?: string;
}

export function PageTitle({ title, aside, note, actions, tab }: Props) {
  const tabTitle = useTabTitle(tab ?? "");
  // After every render: a change of language sets the tab's title to the page's.
  useEffect(() => {
    if (tab !== undefined) document.title = tabTitle;
  });
  return (
    <header className="ob-row ob-apart">
      <div>
        <div className="ob-words">
          <h1>{title}</h1>
          {aside}
        </div>
        {note !== undefined && <p className="ob-quiet">{note}</p>}
      </div>
      {actions !== undefined && <div className="ob-row ob-page-title__actions">{actions}</div>}
    </header>
  );
}

/** A link from a record back to its list. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="ob-quiet ob-back" to={to}>
      <ArrowLeftOutlined aria-hidden /> {children}
    </Link>
  );
}

/** Opens a record's drawer by keyboard and in a new tab: the same page with the record in its address. */
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";

interface Props {
  id: number;
  className?: string;
  children: ReactNode;
}

export function RecordLink({ id, className = "ob-record-link", children }: Props) {
  const [params] = useSearchParams();
  const search = new URLSearchParams(params);
  search.set("record", String(id));
  return (
    <Link
      className={className}
      to={{ search: `?${search}` }}
      replace
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </Link>
  );
}

/** The name of a record: a link to its drawer, by keyboard and in a new tab as well. */
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";

export function OpenLink({ id, children }: { id: number; children: ReactNode }) {
  const [params] = useSearchParams();
  const to = new URLSearchParams(params);
  to.set("record", String(id));
  return (
    <Link
      className="ob-catalog__name"
      to={{ search: to.toString() }}
      replace
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </Link>
  );
}

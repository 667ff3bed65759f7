/** A link to the same page with a record's drawer open, for the keyboard and for new tabs. */
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { searchOf } from "@/shared/hooks/useAddress";

interface Props {
  id: number;
  className?: string;
  children: ReactNode;
}

export function RecordLink({ id, className = "ob-record-link", children }: Props) {
  const { search } = useLocation();
  return (
    <Link
      className={className}
      to={{ search: searchOf(id, search) }}
      replace
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </Link>
  );
}

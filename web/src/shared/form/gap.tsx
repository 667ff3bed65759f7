/**
 * Gaps: data that a page needs and another record lacks. The shell opens a drawer beside the page
 * with the field to fill in.
 */
import Button from "antd/es/button";
import type { ReactNode } from "react";
import { CATALOGS } from "@/contract";
import { external } from "@/shared/external";
import { useMay } from "@/shared/session/session";
import "./gap.css";

export interface Gap {
  /** Whether customs papers lack it: the drawer then has all fields that they need of the record. */
  customs?: boolean;
  /**
   * The catalog of the record. `customers` and `companies` lack a commercial address, `items` a
   * tariff item, `production-processes` a worker.
   */
  catalog: "customers" | "companies" | "items" | "production-processes";
  id: number;
}

export const openGap = external<Gap | null>(null);

/** Return a function that opens the gap; undefined if the user may not fill it. */
export function useOpenGap(gap: Gap): (() => void) | undefined {
  return useMay(CATALOGS[gap.catalog].Update) ? () => openGap.set(gap) : undefined;
}

/** One thing that is missing. Plain text if the user cannot fill it. */
export function GapLink({
  onOpen,
  children,
}: {
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}) {
  if (onOpen === undefined) return <span>{children}</span>;
  return (
    <Button type="link" className="ob-gap" onClick={onOpen}>
      {children}
    </Button>
  );
}

/** The audit, which is read-only: filters, request and links to records. */
import type { AuditEntry } from "@/contract";
import { entryPath } from "@/shared/catalogPaths";
import { CATALOG_NAMES } from "@/shared/http/keys";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { useList } from "@/shared/http/data";

export const AUDIT_FILTERS = ["entity", "entityId", "userId", "action", "from", "to"] as const;
export type AuditFilter = (typeof AUDIT_FILTERS)[number];

export const ENTITIES = [
  "users",
  "roles",
  "displays",
  "parts",
  "service-accounts",
  "webhooks",
  ...CATALOG_NAMES,
  "process-item-prices",
  "sales-order",
  "sales-order-position",
  "delivery",
  "certificates",
  "payment",
  "batch",
  "metal-entry",
  "metal-lot",
  "metal-day",
  "metal-count",
  "metal-refining",
  "metal-melting",
  "customer-links",
  "customer-answers",
  "approval-requests",
  "line-messages",
  "sample",
  "files",
] as const;

export const ACTIONS = [
  "created",
  "changed",
  "deleted",
  "erased",
  "password",
  "status",
  "in",
  "out",
  "undone",
  "released",
  "scrapped",
  "replaced",
  "weighed",
  "signed",
  "billed",
  "unbilled",
  "sealed",
  "unsealed",
  "stamped",
  "unstamped",
  "settled",
  "unsettled",
  "cancelAsked",
  "cancelRefused",
  "canceled",
  "closed",
  "line-added",
  "line-removed",
  "reopened",
  "signed-in",
  "signed-out",
  "named-at-station",
  "guessed",
  "exported",
  "printed",
] as const;

export function useAudit(query: TableQuery<AuditFilter>) {
  return useList("/api/audit", { query: query.server }, query);
}

const PAGES: Partial<Record<string, (id: number) => string>> = {
  ...Object.fromEntries(CATALOG_NAMES.map((name) => [name, (id: number) => entryPath(name, id)])),
  users: (id) => `/administration/users?record=${id}`,
  roles: (id) => `/administration/roles?record=${id}`,
  displays: (id) => `/administration/displays?record=${id}`,
  "service-accounts": (id) => `/administration/integrations?record=${id}`,
  webhooks: (id) => `/administration/webhooks?record=${id}`,
  "sales-order": (id) => `/operations/sales-orders/${id}`,
  delivery: (id) => `/reports/bills/${id}`,
  batch: (id) => `/operations/batches/${id}`,
  "metal-refining": (id) => `/operations/metal/refining?record=${id}`,
  payment: (id) => `/reports/paid-orders?record=${id}`,
};

/** The page of a record; undefined if it was deleted or has no page. */
export function recordPath({ entity, entityId, action }: AuditEntry): string | undefined {
  return action === "deleted" ? undefined : PAGES[entity]?.(entityId);
}

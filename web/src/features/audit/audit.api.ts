/** The audit: who changed what, when, before and after. Read-only. */
import type { AuditEntry } from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { useList } from "@/shared/http/data";

export const AUDIT_FILTERS = ["entity", "entityId", "userId", "action", "from", "to"] as const;
export type AuditFilter = (typeof AUDIT_FILTERS)[number];

export const ENTITIES = [
  "users",
  "roles",
  "displays",
  "service-accounts",
  "webhooks",
  "companies",
  "customers",
  "components",
  "materials",
  "export-tax-items",
  "production-processes",
  "items",
  "customer-types",
  "tax-sections",
  "release-reasons",
  "scrap-reasons",
  "sales-order",
  "sales-order-position",
  "delivery",
  "payment",
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
  "billed",
  "unbilled",
  "canceled",
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
  users: (id) => `/administration/users?record=${id}`,
  roles: (id) => `/administration/roles?record=${id}`,
  displays: (id) => `/administration/displays?record=${id}`,
  "service-accounts": (id) => `/administration/integrations?record=${id}`,
  webhooks: (id) => `/administration/webhooks?record=${id}`,
  companies: (id) => `/catalogs/companies?record=${id}`,
  customers: (id) => `/catalogs/customers?record=${id}`,
  components: (id) => `/catalogs/components?record=${id}`,
  materials: (id) => `/catalogs/materials?record=${id}`,
  "export-tax-items": (id) => `/catalogs/export-tax-items?record=${id}`,
  "production-processes": (id) => `/catalogs/production-process?record=${id}`,
  items: (id) => `/catalogs/products?record=${id}`,
  "customer-types": (id) => `/catalogs/lists?list=customer-types&record=${id}`,
  "tax-sections": (id) => `/catalogs/lists?list=tax-sections&record=${id}`,
  "release-reasons": (id) => `/catalogs/lists?list=release-reasons&record=${id}`,
  "scrap-reasons": (id) => `/catalogs/lists?list=scrap-reasons&record=${id}`,
  "sales-order": (id) => `/operations/sales-orders/${id}`,
  delivery: (id) => `/reports/bills/${id}`,
  payment: (id) => `/reports/paid-orders?record=${id}`,
};

/** Where the record can be seen; undefined where it is gone or has no page of its own. */
export function recordPath({ entity, entityId, action }: AuditEntry): string | undefined {
  return action === "deleted" ? undefined : PAGES[entity]?.(entityId);
}

import type { Resource } from "@/shared/http/keys";

export function historyPath(
  entity: Resource | "sales-order" | "delivery" | "batch",
  id: number,
): string {
  return `/administration/audit?entity=${entity}&entityId=${id}`;
}

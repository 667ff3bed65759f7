import type { Resource } from "@/shared/http/keys";

export function historyPath(entity: Resource | "sales-order" | "delivery", id: number): string {
  return `/administration/audit?entity=${entity}&entityId=${id}`;
}

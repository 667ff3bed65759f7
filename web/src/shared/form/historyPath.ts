/** Who changed this record, when and what. */
import type { Resource } from "@/shared/keys";

export function historyPath(entity: Resource | "sales-order", id: number): string {
  return `/administration/audit?entity=${entity}&entityId=${id}`;
}

/** Read-marks that have not reached the server yet, stored over a reload. See infra/docs/rules.md#notifications. */
import { ofBrowser, parseStored } from "@/shared/stored";

const IDS = "pendingReadNotifications";
const FLAG = "pendingReadNotificationsFlag";

export function pendingReads(): number[] {
  const ids: unknown = parseStored(ofBrowser.getItem(IDS));
  return Array.isArray(ids) ? ids.filter((id): id is number => typeof id === "number") : [];
}

function store(ids: readonly number[]): void {
  ofBrowser.setItem(IDS, JSON.stringify(ids));
  ofBrowser.setItem(FLAG, String(ids.length > 0));
}

export function addPendingRead(id: number): void {
  store([...new Set([...pendingReads(), id])]);
}

export function removePendingRead(id: number): void {
  store(pendingReads().filter((pending) => pending !== id));
}

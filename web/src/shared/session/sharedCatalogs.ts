/** The shared catalogs: whether they are loading, the list, and the day they were loaded. Specification 1, section 3. */
import type { SharedCatalog } from "@/contract";
import { today } from "@/shared/format/plantClock";

export interface SharedCatalogs {
  loading: boolean;
  list: readonly SharedCatalog[];
  /** `YYYY-MM-DD`; empty before the first load. */
  dateUpdate: string;
}

const listeners = new Set<() => void>();
let current: SharedCatalogs = { loading: false, list: [], dateUpdate: "" };

function change(next: Partial<SharedCatalogs>): void {
  current = { ...current, ...next };
  for (const listener of listeners) listener();
}

export function getSharedCatalogs(): SharedCatalogs {
  return current;
}

export function subscribeSharedCatalogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads them where they are not loading and not of today. What failed is tried again the next time it is asked for. */
export async function loadSharedCatalogs(load: () => Promise<SharedCatalog[]>): Promise<void> {
  if (current.loading || (current.list.length > 0 && current.dateUpdate === today())) return;
  change({ loading: true });
  try {
    const list = await load();
    change({ list, dateUpdate: today() });
  } finally {
    change({ loading: false });
  }
}

/**
 * The plant's processes. Documents of lines name processes by their ids alone, so the client holds
 * the processes for all of its screens. Customers' accounts may not read them.
 */
import { useEffect } from "react";
import type { ProcessOption } from "@/contract";
import { external } from "@/shared/external";
import { useAnswer } from "@/shared/http/data";
import { RESOURCES } from "@/shared/http/keys";
import { useIsCustomer } from "@/shared/session/session";

export interface PlantProcess extends ProcessOption {
  active: boolean;
}

/** In the plant's order. */
const held = external<readonly PlantProcess[]>([]);

export const heldProcesses = held.get;
export const holdProcesses = held.set;
export const usePlant = () => held.use();

const OPTIONS = { fields: "options", ordering: "place" } as const;

/** Load the processes, and again after each change of their catalog. */
export function useHeldProcesses(): void {
  const config = { quiet: true, revalidateIfStale: false };
  const path = RESOURCES["production-processes"];
  // With `fields=options` the list answers `ProcessOption` rows. They do not say which are active.
  const isCustomer = useIsCustomer();
  const { data: all } = useAnswer<typeof path, ProcessOption[]>(
    path,
    isCustomer ? null : { query: OPTIONS },
    config,
  );
  const { data: active } = useAnswer<typeof path, ProcessOption[]>(
    path,
    isCustomer ? null : { query: { ...OPTIONS, status: true } },
    config,
  );
  useEffect(() => {
    if (all === undefined || active === undefined) return;
    const ids = new Set(active.map(({ id }) => id));
    holdProcesses(all.map((process) => ({ ...process, active: ids.has(process.id) })));
  }, [all, active]);
}

/** Return the name of a process as staff read it; empty if it is not held. */
export const processName = (id: number): string =>
  held.get().find((process) => process.id === id)?.name ?? "";

/** `processName` as a hook: renders again when the processes change. */
export function useProcessName(): typeof processName {
  held.use();
  return processName;
}

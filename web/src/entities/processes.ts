/**
 * The plant's processes. Documents of lines name processes by their ids alone, so the client holds
 * the processes for all of its screens. Customers' accounts may not read them.
 */
import type { ProcessOption } from "@/contract";
import { external } from "@/shared/external";

export interface PlantProcess extends ProcessOption {
  active: boolean;
}

/** In the plant's order. */
const held = external<readonly PlantProcess[]>([]);

export const heldProcesses = held.get;
export const holdProcesses = held.set;
export const usePlant = () => held.use();

/** Return the name of a process as staff read it; empty if it is not held. */
export const processName = (id: number): string =>
  held.get().find((process) => process.id === id)?.name ?? "";

/** `processName` as a hook: renders again when the processes change. */
export function useProcessName(): typeof processName {
  held.use();
  return processName;
}

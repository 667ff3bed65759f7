/**
 * The plant's processes. Documents of lines name processes by their ids alone, so the client holds
 * the processes for all of its screens. Customers' accounts may not read them.
 */
import type { ProcessOption } from "@/contract";
import { external } from "@/shared/external";
import { nameInEnglish } from "@/shared/http/names";
import { useLanguage } from "@/shared/language";

export interface PlantProcess extends ProcessOption {
  active: boolean;
}

/** In the plant's order. */
const held = external<readonly PlantProcess[]>([]);

export const heldProcesses = held.get;
export function holdProcesses(processes: readonly PlantProcess[]): void {
  held.set(processes);
  nameInEnglish(new Map(processes.map(({ id, nameEnglish }) => [id, nameEnglish])));
}
export const usePlant = () => held.use();

/** Return a function that names a process in the user's language; empty if it is not held. */
export function useProcessName(): (id: number) => string {
  const plant = held.use();
  const isEnglish = useLanguage() === "en";
  return (id) => {
    const process = plant.find((one) => one.id === id);
    return (isEnglish && process?.nameEnglish) || (process?.name ?? "");
  };
}

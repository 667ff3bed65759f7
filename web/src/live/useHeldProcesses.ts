/** Load the plant's processes for all screens, and again after each change of their catalog. */
import { useEffect } from "react";
import type { ProcessOption } from "@/contract";
import { useAnswer } from "@/shared/http/data";
import { RESOURCES } from "@/shared/http/keys";
import { holdProcesses } from "@/entities/processes";
import { useIsCustomer } from "@/shared/session/session";

const OPTIONS = { fields: "options", ordering: "place" } as const;

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

/** The person's own active processes, and what is inside each of them now. */
import useSWR from "swr";
import type { ProductionProcess } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { keys } from "@/shared/keys";

const MINE = { status: true, filterByUser: true } as const;

export function useMyProcesses() {
  return useSWR<ProductionProcess[], ApiError>(keys.processes(MINE), async () => {
    const whole = await call(api.GET("/api/production-processes", { params: { query: MINE } }));
    return whole as ProductionProcess[]; // Only `fields=options` answers less.
  });
}

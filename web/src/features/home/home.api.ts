/** The person's own active processes with what is inside them now, and what their piece work earned. */
import useSWR from "swr";
import type { Earnings, OwnProcess } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export function useMyProcesses() {
  return useSWR<OwnProcess[], ApiError>(keys.ownProcesses(), () =>
    call(api.GET("/api/shop-floor/own")),
  );
}

export function useMyEarnings() {
  const key = keys.earnings();
  return useSWR<Earnings, ApiError>(key, () =>
    call(api.GET("/api/sales-order/positions/production-processes/earnings")),
  );
}

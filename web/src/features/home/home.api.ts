/** The person's own active processes, and what is inside each of them now. */
import useSWR from "swr";
import type { OwnProcess } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export function useMyProcesses() {
  return useSWR<OwnProcess[], ApiError>(keys.ownProcesses(), () =>
    call(api.GET("/api/shop-floor/own")),
  );
}

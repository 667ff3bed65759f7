/** How loaded data is kept: events make it stale, so nothing is fetched again for a mere look. */
import type { SWRConfiguration } from "swr";
import { asApiError } from "@/shared/http/ApiError";
import { quietRefresh } from "@/shared/http/data";

export const dataSettings: SWRConfiguration = {
  provider: () => new Map(),
  use: [quietRefresh],
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  // A refusal stays a refusal; only what may pass by itself is tried again.
  shouldRetryOnError: (reason) => {
    const { isOffline, status } = asApiError(reason);
    return isOffline || status >= 500;
  },
  errorRetryInterval: 3_000,
  errorRetryCount: 5,
};

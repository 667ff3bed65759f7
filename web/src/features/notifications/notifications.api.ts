/** The person's unread notifications. Specification 2, sections 2 and 4. */
import useSWR from "swr";
import type { Notification } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { keys } from "@/shared/keys";

const TEN_MINUTES = 600_000;

export function useUnread(): Notification[] {
  const { data } = useSWR<Notification[], ApiError>(
    keys.notifications(),
    () => call(api.GET("/api/notifications/unread")),
    { refreshInterval: TEN_MINUTES },
  );
  return data ?? [];
}

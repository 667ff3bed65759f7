/** One record of a catalog, by its id. */
import useSWR from "swr";
import type { ApiError } from "@/shared/http/ApiError";
import { keys, type Resource } from "@/shared/keys";

/** Nothing is loaded while `id` is null. */
export function useRecord<R>(
  resource: Resource,
  id: number | null,
  load: (id: number) => Promise<R>,
) {
  const key = id === null ? null : keys.record(resource, id);
  return useSWR<R, ApiError>(key, () => load(id as number));
}

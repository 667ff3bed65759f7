/** A refresh that a live event asked for is nobody's wait: it shows no spinner. */
import { unstable_serialize, useSWRConfig } from "swr";
import { QUIET } from "@/shared/http/client";

export function useRefreshHeaders(key: readonly unknown[]): () => Record<string, string> {
  const { cache } = useSWRConfig();
  return () => (cache.get(unstable_serialize(key))?.data === undefined ? {} : QUIET);
}

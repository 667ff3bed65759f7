/** A refresh of what is on screen is nobody's wait: for all of SWR's hooks at once. Specification 1, section 2. */
import { unstable_serialize, useSWRConfig, type Middleware } from "swr";
import { quietly } from "./activity";

/** The first load of a key shows the spinner; what follows, by events, polls and tries after a failure, does not. */
export const quietRefresh: Middleware = (useSWRNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const load = ((...args: Parameters<NonNullable<typeof fetcher>>) => {
    const held = cache.get(unstable_serialize(key));
    const first = held?.data === undefined && held?.error === undefined;
    return first ? fetcher?.(...args) : quietly(() => fetcher?.(...args));
  }) as typeof fetcher;
  return useSWRNext(key, fetcher === null ? null : load, config);
};

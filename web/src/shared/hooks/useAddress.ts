/** What stands behind the `?` of the page's address, and how to change some of it. */
import { useCallback, useLayoutEffect, useRef } from "react";
import { useSearchParams } from "react-router";

type Change = (edit: (params: URLSearchParams) => void) => void;

/**
 * The parameters, and a function that changes some in place, without a step in the browser's history.
 *
 * The function stays the same, and changes the address as it is when it is called: a search that was typed before a
 * drawer opened must not close it.
 */
export function useAddress(): [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams();
  const latest = useRef(setParams);
  useLayoutEffect(() => {
    latest.current = setParams;
  }, [setParams]);
  const change = useCallback<Change>(
    (edit) =>
      latest.current(
        (old) => {
          const next = new URLSearchParams(old);
          edit(next);
          return next;
        },
        { replace: true },
      ),
    [],
  );
  return [params, change];
}

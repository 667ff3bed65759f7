/** What stands behind the `?` of the page's address, and how to change some of it. */
import { useCallback, useLayoutEffect, useRef } from "react";
import { useHref, useSearchParams } from "react-router";

type Change = (edit: (params: URLSearchParams) => void) => void;

/**
 * The parameters, and a function that changes some in place, without a step in the browser's history.
 *
 * The function stays the same, and changes the address as it is when it is called, which the page may not show yet: a
 * search that was typed before a drawer opened must not close it.
 */
export function useAddress(): [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams();
  const inHash = useHref("/").startsWith("#");
  const latest = useRef({ params, setParams });
  useLayoutEffect(() => {
    latest.current = { params, setParams };
  }, [params, setParams]);
  const change = useCallback<Change>(
    (edit) => {
      const next = new URLSearchParams(inHash ? ofHash() : latest.current.params);
      edit(next);
      latest.current.setParams(next, { replace: true });
    },
    [inHash],
  );
  return [params, change];
}

const ofHash = () => window.location.hash.split("?")[1] ?? "";

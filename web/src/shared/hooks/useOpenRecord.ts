/** Which record's drawer stands open, kept in the address: the audit and a colleague's link lead straight to it. */
import { useCallback } from "react";
import { useSearchParams } from "react-router";

const NAME = "record";
const NEW = "new";

export interface OpenRecord {
  /** "new", an id, or null while no drawer is open. */
  opened: "new" | number | null;
  open: (what: "new" | number) => void;
  close: () => void;
}

export function useOpenRecord(): OpenRecord {
  const [params, setParams] = useSearchParams();
  const text = params.get(NAME);
  const change = useCallback(
    (what: string | null) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          if (what === null) next.delete(NAME);
          else next.set(NAME, what);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return {
    opened: text === NEW ? NEW : asId(text),
    open: useCallback((what) => change(String(what)), [change]),
    close: useCallback(() => change(null), [change]),
  };
}

function asId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Which record's drawer stands open, kept in the address: the audit and a colleague's link lead straight to it. */
import { useCallback } from "react";
import { useAddress } from "./useAddress";

const NAME = "record";
const NEW = "new";

export interface OpenRecord {
  /** "new", an id, or null while no drawer is open. */
  opened: "new" | number | null;
  open: (what: "new" | number) => void;
  close: () => void;
}

export function useOpenRecord(): OpenRecord {
  const [params, change] = useAddress();
  const text = params.get(NAME);
  return {
    opened: text === NEW ? NEW : asId(text),
    open: useCallback((what) => change((next) => next.set(NAME, String(what))), [change]),
    close: useCallback(() => change((next) => next.delete(NAME)), [change]),
  };
}

function asId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

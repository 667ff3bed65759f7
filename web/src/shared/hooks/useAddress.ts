/** Read and change the query parameters of the page's address, and the record that they open. */
import { useCallback } from "react";
import { useHref, useSearchParams } from "react-router";
import { useStable } from "./browser";

/** `step`: whether the browser's back button returns to the address before. */
type Change = (edit: (params: URLSearchParams) => void, step?: boolean) => void;

/**
 * Return the parameters, and a function that edits them, by default without a step in the browser's history.
 *
 * The function keeps its identity. It edits the browser's current address, which the page may not have rendered yet: a
 * search typed before a drawer opened must not close the drawer.
 */
export function useAddress(): [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams();
  const inHash = useHref("/").startsWith("#");
  const change = useStable<Parameters<Change>, void>((edit, step = false) => {
    const next = new URLSearchParams(inHash ? ofHash() : params);
    edit(next);
    setParams(next, { replace: !step });
  });
  return [params, change];
}

const ofHash = () => window.location.hash.split("?")[1] ?? "";

const NAME = "record";
const NEW = "new";

/** The query string of the same page with this record open, starting with `?`. */
export function searchOf(id: number, search: URLSearchParams | string): string {
  const next = new URLSearchParams(search);
  next.set(NAME, String(id));
  return `?${next}`;
}

interface OpenRecord {
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
    open: useCallback((what) => change((next) => next.set(NAME, String(what)), true), [change]),
    close: useCallback(() => change((next) => next.delete(NAME)), [change]),
  };
}

function asId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** The records that the user opened last, kept by this browser for each user until they sign out. */
import { useEffect } from "react";
import { recentKey } from "./session/kept";
import { useSignedIn } from "./session/session";
import { ofBrowser, parseStored } from "./stored";

const KINDS = ["order", "line", "bill", "customer"] as const;

export interface Recent {
  kind: (typeof KINDS)[number];
  /** The path that shows the record, which identifies it. */
  path: string;
  /** The PO#, the number of the bill or the customer's name. */
  name: string;
  /** The position of a line; absent for other records. */
  position?: number;
}

const MOST = 8;

/** The paths of the records that are on screen now. */
const onScreen = new Set<string>();

function isRecent(value: unknown): value is Recent {
  if (typeof value !== "object" || value === null) return false;
  const { kind, path, name, position } = value as Record<string, unknown>;
  const isPosition = kind === "line" ? typeof position === "number" : position === undefined;
  const texts = typeof path === "string" && typeof name === "string";
  return KINDS.some((each) => each === kind) && texts && isPosition;
}

/** The user's records that are not on screen, the last one first. */
export const recentElsewhere = (userId: number): Recent[] =>
  readRecent(userId).filter(({ path }) => !onScreen.has(path));

function readRecent(userId: number): Recent[] {
  const stored = parseStored(ofBrowser.getItem(recentKey(userId)));
  return Array.isArray(stored) ? stored.filter(isRecent) : [];
}

/** Note that a record is on screen; undefined means none. */
export function useRecent(shown: Recent | undefined): void {
  const userId = useSignedIn().user.id;
  const text = shown && JSON.stringify(shown);
  useEffect(() => {
    if (text === undefined) return undefined;
    const now = JSON.parse(text) as Recent;
    const others = readRecent(userId).filter(({ path }) => path !== now.path);
    // A browser without room keeps the earlier ones.
    ofBrowser.setItem(recentKey(userId), JSON.stringify([now, ...others].slice(0, MOST)));
    onScreen.add(now.path);
    return () => void onScreen.delete(now.path);
  }, [userId, text]);
}

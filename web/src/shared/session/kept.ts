/** Data that this browser stores for one session, and deletes when the session ends. */
import { ofBrowser, ofTab, storageOf } from "@/shared/stored";

/** The prefix of the key in session storage for the worker who acts at a station. */
const OPERATOR = "stationOperator";
/**
 * The key in local storage under which a session is named if people other than its user have worked
 * at a station.
 */
const SHARED = "stationShared";
/** The database in which a station stores its last known lists. */
export const STATIONS = "obrador-known-stations";

/** The database in which the answers shown last are stored. */
export const COPY = "obrador-copy";

/** Identify a session by the end of its token's signature, without storing the token. */
export const sessionName = (token: string): string => token.slice(-12);

export const operatorKey = (token: string): string => `${OPERATOR}:${sessionName(token)}`;

export const noteShared = (token: string): void =>
  void ofBrowser.setItem(SHARED, sessionName(token));

/** Whether people other than the session's user have worked at a station in this session. */
export const isShared = (token: string): boolean =>
  ofBrowser.getItem(SHARED) === sessionName(token);

/** The key in local storage for the records that a user opened last. */
export const recentKey = (userId: number): string => `recent${userId}`;

/** Delete the stored workers of all sessions but that of `token`. */
export function dropOperatorsBut(token: string | null): void {
  const own = token === null ? null : operatorKey(token);
  for (const key of Object.keys(storageOf("sessionStorage") ?? {})) {
    if (key.startsWith(OPERATOR) && key !== own) ofTab.removeItem(key);
  }
  ofBrowser.removeItem(OPERATOR); // the place used by earlier releases
}

/** Delete everything stored for a session: it ended, or another one starts. */
export function dropKept(): void {
  dropOperatorsBut(null);
  ofBrowser.removeItem(SHARED);
  dropDatabase(STATIONS);
  dropCopy();
}

/** Delete the stored answers. */
export const dropCopy = (): void => dropDatabase(COPY);

function dropDatabase(name: string): void {
  try {
    indexedDB.deleteDatabase(name);
  } catch {
    // Where storage is blocked nothing was stored.
  }
}

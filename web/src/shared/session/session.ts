/** The session of the signed-in user, in local storage. See infra/docs/rules.md#sessions. */
import { useCallback } from "react";
import { OF_THE_OFFICE, type Permission, type User } from "@/contract";
import { external } from "@/shared/external";
import { today } from "@/shared/format/plant";
import { dropKept, dropOperatorsBut, recentKey } from "./kept";
import { ofBrowser, ofTab, parseStored } from "@/shared/stored";
import { followPlant, KEYS, readStoredSession, type Session } from "./storedSession";

export type { Session };

/** Where the session at the company's provider ends, if the user signed in with the company's account. */
const LEAVE_AT = "companySignOut";
/** Keys in session storage, for this tab alone: the first page of its next session, and why the last one ended. */
const RETURN_TO = "returnTo";
const END_REASON = "sessionEnd";

/** Why a session ended without a sign-out in this tab. */
const END_REASONS = ["midnight", "inactivity", "elsewhere"] as const;
export type EndReason = (typeof END_REASONS)[number];

const sessions = external(readStoredSession());
// A restored tab may still have data of a session that has ended.
dropEarlier(sessions.get());

function dropEarlier(session: Session | null): void {
  if (session === null) dropKept();
  else dropOperatorsBut(session.token);
}

function publish(session: Session | null): void {
  if (session?.token !== sessions.get()?.token) dropKept();
  sessions.set(session);
}

/** Delete the session, and the names of records that its user opened: the next user may not read them. */
function forget(): void {
  const current = sessions.get();
  if (current !== null) ofBrowser.removeItem(recentKey(current.user.id));
  for (const key of [...Object.values(KEYS), LEAVE_AT]) ofBrowser.removeItem(key);
}

export const getSession = sessions.get;

/** `leaveAt`: the address that ends the session at the company's provider. */
export function storeSession(
  signedIn: Omit<Session, "dateLogin">,
  leaveAt: string | null = null,
): void {
  followPlant(signedIn.token);
  const session: Session = { ...signedIn, dateLogin: today() };
  ofBrowser.setItem(KEYS.token, session.token);
  ofBrowser.setItem(KEYS.user, JSON.stringify(session.user));
  ofBrowser.setItem(KEYS.permissions, JSON.stringify(session.permissions));
  ofBrowser.setItem(KEYS.dateLogin, session.dateLogin);
  ofBrowser.setItem(KEYS.subject, String(session.user.id));
  if (leaveAt === null) ofBrowser.removeItem(LEAVE_AT);
  else ofBrowser.setItem(LEAVE_AT, leaveAt);
  ofTab.removeItem(END_REASON);
  publish(session);
}

/** The address that ends the session at the company's provider too; null if there is none. */
export function readLeaveAt(): string | null {
  const address = ofBrowser.getItem(LEAVE_AT);
  return address !== null && /^https?:\/\//.test(address) ? address : null;
}

/** Store the user's changed permissions; menu, guard and buttons follow at once. */
export function storePermissions(permissions: readonly Permission[]): void {
  const current = sessions.get();
  if (current === null || current.permissions.join() === permissions.join()) return;
  ofBrowser.setItem(KEYS.permissions, JSON.stringify(permissions));
  publish({ ...current, permissions });
}

/** Store the user's changed record; the name on screen follows. */
export function storeUser(user: User): void {
  const current = sessions.get();
  if (current === null || JSON.stringify(current.user) === JSON.stringify(user)) return;
  ofBrowser.setItem(KEYS.user, JSON.stringify(user));
  publish({ ...current, user });
}

let holds = 0;
let endAsked: EndReason | null = null;

/**
 * Delay the end of an expired session, so that the user can read what is on screen. Returns the release; the session
 * ends when the last hold is released.
 */
export function holdSession(): () => void {
  let held = true;
  holds += 1;
  return () => {
    if (!held) return;
    held = false;
    holds -= 1;
    if (holds === 0 && endAsked !== null) expireSession(endAsked);
  };
}

/** The page on which this tab's session ended. The redirect from it to the sign-in is no request for that page. */
let endedOn: string | null = null;

const pageNow = () => window.location.hash.replace(/^#/, "");

/** End the session at the user's request. The next one starts on the landing page. */
export function signOut(): void {
  endAsked = null;
  endedOn = pageNow();
  forgetReturnTo();
  forget();
  publish(null);
}

/** End a session that expired or ended elsewhere. The sign-in shows why, and returns the same user to the page. */
export function expireSession(reason: EndReason = reasonOf(sessions.get())): void {
  if (holds > 0) {
    endAsked = reason;
    return;
  }
  endAsked = null;
  const current = sessions.get();
  if (current !== null) leave(current, reason);
  forget();
  publish(null);
}

/** Store the page for the same user, and why the session ended. */
function leave({ user }: Session, reason: EndReason): void {
  endedOn = pageNow();
  keepReturnTo({ page: endedOn, userId: user.id });
  ofTab.setItem(END_REASON, reason);
}

/** Why the server rejects a session: its day has ended, or it was ended elsewhere. */
function reasonOf(session: Session | null): EndReason {
  return session !== null && session.dateLogin !== today() ? "midnight" : "elsewhere";
}

/** Why this tab's last session ended without a sign-out; null once the next one starts. */
export function readEndReason(): EndReason | null {
  const reason = ofTab.getItem(END_REASON);
  return END_REASONS.find((each) => each === reason) ?? null;
}

/** The first page of the next session; `userId`: only for that user, null for any. */
interface ReturnTo {
  page: string;
  userId: number | null;
}

function keepReturnTo(to: ReturnTo): void {
  if (to.page === "" || to.page.startsWith("/login")) return;
  ofTab.setItem(RETURN_TO, JSON.stringify(to));
}

/** Record a page that was requested without a session: the next user to sign in here is led to it. */
export function askedFor(page: string): void {
  if (page !== endedOn) keepReturnTo({ page, userId: null });
}

/** Note that the sign-in is shown: from now on, opening a page is a request for it. */
export function signInShown(): void {
  endedOn = null;
}

/** The page to which the signed-in user returns; null once it has been shown. */
export function readReturnTo(): string | null {
  const to = parseStored(ofTab.getItem(RETURN_TO));
  if (typeof to !== "object" || to === null || !("page" in to) || !("userId" in to)) return null;
  const mine = to.userId === null || to.userId === sessions.get()?.user.id;
  return mine && typeof to.page === "string" ? to.page : null;
}

export function forgetReturnTo(): void {
  ofTab.removeItem(RETURN_TO);
}

/** End the session if its day has ended. Returns whether it is valid. */
export function validateSession(): boolean {
  const current = sessions.get();
  const stored = readStoredSession();
  if (stored === null) {
    if (current !== null) {
      expireSession();
    } else {
      const day = ofBrowser.getItem(KEYS.dateLogin);
      // The tab was opened again on another day.
      if (day !== null && day !== today()) ofTab.setItem(END_REASON, "midnight");
      forget();
    }
    return false;
  }
  if (stored.token !== current?.token) publish(stored);
  return true;
}

/** Call a listener after each change of the session. */
export const watchSession = sessions.subscribe;

/** Forget what another session may not see: `clear` is called when a session ends or another one begins. */
export function forgetWithSession(clear: () => void): void {
  let owner = getSession()?.token;
  watchSession(() => {
    const token = getSession()?.token;
    if (token !== owner) clear();
    owner = token;
  });
}

// A sign-in or sign-out in one tab applies to all tabs.
window.addEventListener("storage", (event) => {
  if (event.key === KEYS.token || event.key === KEYS.permissions || event.key === null) {
    const current = sessions.get();
    const now = readStoredSession();
    // It ended in another tab: show why, and return the same user to this tab's page.
    if (now === null && current !== null) leave(current, reasonOf(current));
    publish(now);
  }
});

export function useSession(): Session | null {
  return sessions.use();
}

/** The session, for components inside the shell, where there always is one. */
export function useSignedIn(): Session {
  const session = useSession();
  if (session === null) throw new Error("This part is drawn only for a signed-in person.");
  return session;
}

/** Whether the account is a customer's, which reads no catalogs. See infra/docs/rules.md#customers-accounts. */
export function useIsCustomer(): boolean {
  return useSession()?.user.userType === "Customer";
}

/** Whether the user holds a permission. The server checks it again on every call. */
export function useMay(permission: Permission): boolean {
  return useSession()?.permissions.includes(permission) ?? false;
}

/** Whether the account itself may move pieces. A tablet's may not: the people who identify themselves at it may. */
export function useMayMove(): boolean {
  const held = useSession()?.permissions ?? [];
  return (["In", "Out"] as const).some((side) => held.includes(`SalesOrderPositionProcess${side}`));
}

/** Whether the user holds all of some permissions: they may not grant, or act through, permissions that they lack. */
export function useHoldsAll(): (permissions: readonly Permission[]) => boolean {
  const held = useSession()?.permissions;
  return useCallback(
    (permissions) => permissions.every((permission) => held?.includes(permission) === true),
    [held],
  );
}

/** Whether the user holds a permission of the office, and may read orders or lines. */
export function useIsOffice(): boolean {
  const held = useSession()?.permissions ?? [];
  const reads = held.includes("ListOrders") || held.includes("ListSalesOrders");
  return reads && OF_THE_OFFICE.some((permission) => held.includes(permission));
}

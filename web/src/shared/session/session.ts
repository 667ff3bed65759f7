/** The signed-in person, kept in local storage. See infra/docs/rules.md#sessions. */
import { OF_THE_OFFICE, type Permission, type User } from "@/contract";
import { external } from "@/shared/external";
import { setPlantCurrency, setPlantZone, today } from "@/shared/format/plant";
import { dropKept, dropOperatorsBut } from "./kept";
import { parseStored } from "./stored";
import { readClaims } from "./token";

export interface Session {
  token: string;
  user: User;
  permissions: readonly Permission[];
  dateLogin: string;
}

const KEYS = {
  token: "token",
  user: "userData",
  permissions: "userPermissions",
  dateLogin: "dateLogin",
  subject: "sesionUsuario",
} as const;
/** Of the tab alone: where its next session goes, and why the last one ended. */
const RETURN_TO = "returnTo";
const END_REASON = "sessionEnd";

/** Why a session ended by itself. */
const END_REASONS = ["midnight", "inactivity", "elsewhere"] as const;
export type EndReason = (typeof END_REASONS)[number];

const sessions = external<Session | null>(read());
// A tab that was closed and opened again brings back what it kept for a session that has ended.
dropEarlier(sessions.get());

function dropEarlier(session: Session | null): void {
  if (session === null) dropKept();
  else dropOperatorsBut(session.token);
}

/** The plant's settings that the token holds. */
function followPlant(token: string): void {
  const claims = readClaims(token);
  setPlantZone(claims?.zone);
  setPlantCurrency(claims?.currency);
}

/** The stored session, or null where a part is missing, unreadable, or it is of another day. */
function read(): Session | null {
  const [token, userText, permissionsText, dateLogin] = [
    KEYS.token,
    KEYS.user,
    KEYS.permissions,
    KEYS.dateLogin,
  ].map((key) => localStorage.getItem(key));
  if (!token || !userText || !permissionsText || !dateLogin) return null;
  const user = parseStored(userText);
  const permissions = parseStored(permissionsText);
  if (typeof user !== "object" || user === null || !Array.isArray(permissions)) return null;
  followPlant(token);
  if (dateLogin !== today()) return null;
  return { token, user: user as User, permissions: permissions as Permission[], dateLogin };
}

function publish(session: Session | null): void {
  if (session?.token !== sessions.get()?.token) dropKept();
  sessions.set(session);
}

function forget(): void {
  for (const key of Object.values(KEYS)) localStorage.removeItem(key);
}

export const getSession = sessions.get;

export function storeSession(signedIn: Omit<Session, "dateLogin">): void {
  followPlant(signedIn.token);
  const session: Session = { ...signedIn, dateLogin: today() };
  localStorage.setItem(KEYS.token, session.token);
  localStorage.setItem(KEYS.user, JSON.stringify(session.user));
  localStorage.setItem(KEYS.permissions, JSON.stringify(session.permissions));
  localStorage.setItem(KEYS.dateLogin, session.dateLogin);
  localStorage.setItem(KEYS.subject, String(session.user.id));
  sessionStorage.removeItem(END_REASON);
  publish(session);
}

/** Rights changed while signed in: menu, guard and buttons follow at once. */
export function storePermissions(permissions: readonly Permission[]): void {
  const current = sessions.get();
  if (current === null || current.permissions.join() === permissions.join()) return;
  localStorage.setItem(KEYS.permissions, JSON.stringify(permissions));
  publish({ ...current, permissions });
}

/** The person's own record changed: the name on screen follows. */
export function storeUser(user: User): void {
  const current = sessions.get();
  if (current === null || JSON.stringify(current.user) === JSON.stringify(user)) return;
  localStorage.setItem(KEYS.user, JSON.stringify(user));
  publish({ ...current, user });
}

let holds = 0;
let endAsked: EndReason | null = null;

/**
 * While held, a session that ends by itself stays on screen: what a person must still read comes first.
 * What ended meanwhile ends when the last hold is released.
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

/** Where the session of this tab ended: that this page is left for the sign-in asks for no way back to it. */
let endedOn: string | null = null;

const pageNow = () => window.location.hash.replace(/^#/, "");

/** The person leaves: nothing of the session stays, and the next one begins at its own start. */
export function signOut(): void {
  endAsked = null;
  endedOn = pageNow();
  forgetReturnTo();
  forget();
  publish(null);
}

/** The session ended by itself: the sign-in says why, and leads back to the page. */
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

/** Keeps the page for the same person alone, and why the session ended. */
function leave({ user }: Session, reason: EndReason): void {
  endedOn = pageNow();
  keepReturnTo({ page: endedOn, userId: user.id });
  sessionStorage.setItem(END_REASON, reason);
}

/** A session that the server no longer knows: its day is over, or it was ended somewhere else. */
function reasonOf(session: Session | null): EndReason {
  return session !== null && session.dateLogin !== today() ? "midnight" : "elsewhere";
}

/** Why the last session of this tab ended by itself, until the next one begins. */
export function readEndReason(): EndReason | null {
  const reason = sessionStorage.getItem(END_REASON);
  return END_REASONS.find((each) => each === reason) ?? null;
}

/** Where the next session goes; `userId`: only that person's. */
interface ReturnTo {
  page: string;
  userId: number | null;
}

function keepReturnTo(to: ReturnTo): void {
  if (to.page === "" || to.page.startsWith("/login")) return;
  sessionStorage.setItem(RETURN_TO, JSON.stringify(to));
}

/** A page was opened in a tab where nobody is signed in: whoever signs in there is led to it. */
export function askedFor(page: string): void {
  if (page !== endedOn) keepReturnTo({ page, userId: null });
}

/** The sign-in is shown: what is opened from here on is asked for anew. */
export function signInShown(): void {
  endedOn = null;
}

/** The page that the person who signed in is led back to, until it is shown. */
export function readReturnTo(): string | null {
  const to = parseStored(sessionStorage.getItem(RETURN_TO));
  if (typeof to !== "object" || to === null || !("page" in to) || !("userId" in to)) return null;
  const mine = to.userId === null || to.userId === sessions.get()?.user.id;
  return mine && typeof to.page === "string" ? to.page : null;
}

export function forgetReturnTo(): void {
  sessionStorage.removeItem(RETURN_TO);
}

/** Ends a session whose day is over; true while it is valid. */
export function validateSession(): boolean {
  const current = sessions.get();
  const stored = read();
  if (stored === null) {
    if (current !== null) {
      expireSession();
    } else {
      const day = localStorage.getItem(KEYS.dateLogin);
      // The tab was opened again on another day.
      if (day !== null && day !== today()) sessionStorage.setItem(END_REASON, "midnight");
      forget();
    }
    return false;
  }
  if (stored.token !== current?.token) publish(stored);
  return true;
}

/** Calls `listener` after each change of the session. */
export const watchSession = sessions.subscribe;

// Signing in or out in one tab is signing in or out in all of them.
window.addEventListener("storage", (event) => {
  if (event.key === KEYS.token || event.key === KEYS.permissions || event.key === null) {
    const current = sessions.get();
    const now = read();
    // Ended in another tab: this one says so to the same person, and leads him back.
    if (now === null && current !== null) leave(current, reasonOf(current));
    publish(now);
  }
});

export function useSession(): Session | null {
  return sessions.use();
}

/** The session inside the shell, where there always is one. */
export function useSignedIn(): Session {
  const session = useSession();
  if (session === null) throw new Error("This part is drawn only for a signed-in person.");
  return session;
}

/** Whether the account is a customer's: it reads what is that customer's own, and no catalog. See infra/docs/rules.md#customers-accounts. */
export function useIsCustomer(): boolean {
  return useSession()?.user.userType === "Customer";
}

/** Whether the person holds a permission; the server decides again on every call. */
export function useMay(permission: Permission): boolean {
  return useSession()?.permissions.includes(permission) ?? false;
}

/** Whether the person holds all of some permissions: nobody grants, or acts through, what holds more than he does. */
export function useHoldsAll(): (permissions: readonly Permission[]) => boolean {
  const held = useSession()?.permissions ?? [];
  return (permissions) => permissions.every((permission) => held.includes(permission));
}

/** Whether the person plans, sells or bills, and reads the lines that it is about. */
export function useIsOffice(): boolean {
  const held = useSession()?.permissions ?? [];
  const reads = held.includes("ListOrders") || held.includes("ListSalesOrders");
  return reads && OF_THE_OFFICE.some((permission) => held.includes(permission));
}

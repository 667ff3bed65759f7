/** Who stands at the station: whoever is signed in, or who was named by PIN or badge for some minutes. See infra/docs/rules.md#operators. */
import { useSyncExternalStore } from "react";
import { operatorKey, sessionName } from "@/shared/session/kept";
import { getSession, useSignedIn, watchSession } from "@/shared/session/session";
import { parseStored, storeText } from "@/shared/session/stored";

export interface Operator {
  token: string;
  user: { id: number; fullName: string };
  /** The one process that the token is good for. */
  processId: number;
  /** On this machine's clock. It moves on with each use. */
  until: number;
  /** How long it lasts from each use, in milliseconds. */
  lasts: number;
  /** Of the session that named him: it ends with that session. */
  session: string;
}

const listeners = new Set<() => void>();
let current: Operator | null = read();

/** Who was named in this tab before it was loaded again. The token never stands where another tab or session reads it. */
function read(): Operator | null {
  const session = getSession();
  if (session === null) return null;
  const text = sessionStorage.getItem(operatorKey(session.token));
  return parseStored(text) as Operator | null;
}

function currentSession(): string {
  const session = getSession();
  return session === null ? "" : sessionName(session.token);
}

function publish(next: Operator | null): void {
  const session = getSession();
  current = next;
  if (session !== null) {
    const key = operatorKey(session.token);
    if (next === null) sessionStorage.removeItem(key);
    else storeText(sessionStorage, key, JSON.stringify(next));
  }
  for (const listener of listeners) listener();
}

// Nobody is named any more at a station where somebody else has signed in, or nobody.
watchSession(() => {
  if (current !== null && current.session !== currentSession()) publish(null);
});

export function nameOperator(
  { token, user, expiresIn }: Pick<Operator, "token" | "user"> & { expiresIn: number },
  processId: number,
  now: number = Date.now(),
): void {
  const lasts = expiresIn * 1_000;
  publish({ token, user, processId, until: now + lasts, lasts, session: currentSession() });
}

export function forgetOperator(): void {
  publish(null);
}

/** An operator who goes on working stays named. Does nothing for whoever is signed in. */
export function operatorWorked(
  { operatorToken }: Pick<Worker, "operatorToken">,
  now: number = Date.now(),
): void {
  if (current !== null && current.token === operatorToken)
    publish({ ...current, until: now + current.lasts });
}

/** Null where nobody was named at the station of this process, or it was too long ago. */
export function readOperator(processId: number, now: number = Date.now()): Operator | null {
  if (current?.processId !== processId || current.session !== currentSession()) return null;
  return current.until > now ? current : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface Worker {
  id: number;
  fullName: string;
  /** Null for whoever is signed in. */
  operatorToken: string | null;
}

/** Who works at the station of this process; `now` decides whether who was named is still there. */
export function useWorker(processId: number, now: number): Worker {
  const { user } = useSignedIn();
  useSyncExternalStore(subscribe, () => current);
  const here = readOperator(processId, now);
  return here === null
    ? { id: user.id, fullName: user.fullName, operatorToken: null }
    : { ...here.user, operatorToken: here.token };
}

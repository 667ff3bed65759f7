/** Who stands at the station: whoever is signed in, or who was named by PIN or badge for some minutes. Contract, section 8. */
import { useSyncExternalStore } from "react";
import { getSession, useSignedIn } from "@/shared/session/session";
import { parseStored } from "@/shared/session/stored";

export interface Operator {
  token: string;
  user: { id: number; fullName: string };
  /** On this machine's clock. It moves on with each use. */
  until: number;
  /** How long it lasts from each use, in milliseconds. */
  lasts: number;
  /** Of the session that named him: it ends with that session. */
  session: string;
}

const KEY = "stationOperator";
/** In seconds, where the server does not say. */
const TEN_MINUTES = 600;
const listeners = new Set<() => void>();
let current: Operator | null = read();

function read(): Operator | null {
  const found = parseStored(localStorage.getItem(KEY)) as Operator | null;
  return found !== null && found.session === sessionName() ? found : null;
}

/** The end of the signature tells sessions apart and gives nothing away. */
function sessionName(): string {
  return getSession()?.token.slice(-12) ?? "";
}

function publish(next: Operator | null): void {
  current = next;
  if (next === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}

export function nameOperator(
  named: Pick<Operator, "token" | "user"> & { expiresIn?: number },
  now: number = Date.now(),
): void {
  const lasts = (named.expiresIn ?? TEN_MINUTES) * 1_000;
  const { token, user } = named;
  publish({ token, user, until: now + lasts, lasts, session: sessionName() });
}

export function forgetOperator(): void {
  publish(null);
}

/** Somebody who goes on working stays named. */
export function operatorWorked(now: number = Date.now()): void {
  if (current !== null) publish({ ...current, until: now + current.lasts });
}

/** Null where nobody was named, or it was too long ago. */
export function readOperator(now: number = Date.now()): Operator | null {
  return current !== null && current.until > now && current.session === sessionName()
    ? current
    : null;
}

// Both tabs of a station have one person before them.
window.addEventListener("storage", ({ key }) => {
  if (key !== KEY && key !== null) return;
  current = read();
  for (const listener of listeners) listener();
});

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

/** `now` decides whether who was named is still there. */
export function useWorker(now: number): Worker {
  const { user } = useSignedIn();
  const operator = useSyncExternalStore(subscribe, () => current);
  const here = operator === null ? null : readOperator(now);
  return here === null
    ? { id: user.id, fullName: user.fullName, operatorToken: null }
    : { ...here.user, operatorToken: here.token };
}

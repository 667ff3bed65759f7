/** Who stands at the station: whoever is signed in, or who was named by PIN or badge for some minutes. See infra/docs/rules.md#operators. */
import { external } from "@/shared/external";
import { operatorKey, sessionName } from "@/shared/session/kept";
import { getSession, useSignedIn, watchSession } from "@/shared/session/session";
import { parseStored, storeText } from "@/shared/session/stored";
import type { Worker } from "./types";

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

const current = external<Operator | null>(read());

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
  if (session !== null) {
    const key = operatorKey(session.token);
    if (next === null) sessionStorage.removeItem(key);
    else storeText(sessionStorage, key, JSON.stringify(next));
  }
  current.set(next);
}

// Nobody is named any more at a station where somebody else has signed in, or nobody.
watchSession(() => {
  const named = current.get();
  if (named !== null && named.session !== currentSession()) publish(null);
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
  const named = current.get();
  if (named !== null && named.token === operatorToken)
    publish({ ...named, until: now + named.lasts });
}

/** Null where nobody was named at the station of this process, or it was too long ago. */
export function readOperator(processId: number, now: number = Date.now()): Operator | null {
  const named = current.get();
  if (named?.processId !== processId || named.session !== currentSession()) return null;
  return named.until > now ? named : null;
}

/** Who works at the station of this process; `now` decides whether who was named is still there. */
export function useWorker(processId: number, now: number): Worker {
  const { user } = useSignedIn();
  current.use();
  const here = readOperator(processId, now);
  return here === null
    ? { id: user.id, fullName: user.fullName, operatorToken: null }
    : { ...here.user, operatorToken: here.token };
}

/**
 * Who works at the station: the signed-in user, or an operator identified by PIN or badge for some
 * minutes. See infra/docs/rules.md#operators.
 */
import { external } from "@/shared/external";
import { noteShared, operatorKey, sessionName } from "@/shared/session/kept";
import { getSession, useSignedIn, watchSession } from "@/shared/session/session";
import { ofTab, parseStored } from "@/shared/stored";
import type { Worker } from "./types";

export interface Operator {
  token: string;
  user: { id: number; fullName: string };
  /** The only process that the token is valid for. */
  processId: number;
  /** When the token expires, in ms by this machine's clock. Each use extends it. */
  until: number;
  /** How long the token lasts after each use, in ms. */
  lasts: number;
  /** The session in which the operator identified themselves. It ends the identification too. */
  session: string;
}

const current = external<Operator | null>(read());

/**
 * Read the operator identified in this tab before a reload. The token is never stored where another
 * tab or session reads it.
 */
function read(): Operator | null {
  const session = getSession();
  if (session === null) return null;
  const text = ofTab.getItem(operatorKey(session.token));
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
    if (next === null) ofTab.removeItem(key);
    else ofTab.setItem(key, JSON.stringify(next));
  }
  current.set(next);
}

// Forget the operator when another user signs in or the session ends.
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
  const account = getSession();
  if (account !== null && account.user.id !== user.id) noteShared(account.token);
  publish({ token, user, processId, until: now + lasts, lasts, session: currentSession() });
}

export function forgetOperator(): void {
  publish(null);
}

/** Keep an operator identified after a use. Does nothing for the signed-in user. */
export function operatorWorked(
  { operatorToken }: Pick<Worker, "operatorToken">,
  now: number = Date.now(),
): void {
  const named = current.get();
  if (named !== null && named.token === operatorToken)
    publish({ ...named, until: now + named.lasts });
}

/**
 * Return the operator at the station of a process; null if nobody identified themselves there, or
 * too long ago.
 */
export function readOperator(processId: number, now: number = Date.now()): Operator | null {
  const named = current.get();
  if (named?.processId !== processId || named.session !== currentSession()) return null;
  return named.until > now ? named : null;
}

/**
 * Return who works at the station of a process. `now` decides whether the operator's time is over.
 */
export function useWorker(processId: number, now: number): Worker {
  const { user } = useSignedIn();
  current.use();
  const here = readOperator(processId, now);
  return here === null
    ? { id: user.id, fullName: user.fullName, operatorToken: null }
    : { ...here.user, operatorToken: here.token };
}

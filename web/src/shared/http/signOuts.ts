/** Sessions that ended on this machine: the server is told of each, now or as soon as it can be reached. */
import { external } from "@/shared/external";
import { parseStored } from "@/shared/session/stored";
import { asApiError } from "./ApiError";
import { api, call, QUIET } from "./client";

/** Tokens that the server may still take. Each stays here, and only here, until the server has answered. */
const KEY = "pendingSignOuts";
const RETRY_AFTER = 5_000;

/** Rises with each change of what is kept. */
const changes = external(0);
let sending: Promise<void> | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;

function waiting(): string[] {
  const tokens = parseStored(localStorage.getItem(KEY));
  return Array.isArray(tokens) ? tokens.filter((each) => typeof each === "string") : [];
}

function store(tokens: readonly string[]): void {
  if (tokens.length === 0) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(tokens));
  changes.set(changes.get() + 1);
}

/** Keeps the end of this session until the server knows of it. */
export function signOutAtServer(token: string): void {
  store([...new Set([...waiting(), token])]);
  void sendSignOuts();
}

/** Sends what waits. Resolves once all of it was tried; tries again by itself where no server answered. */
export function sendSignOuts(): Promise<void> {
  sending ??= sendAll().finally(() => {
    sending = null;
  });
  return sending;
}

async function sendAll(): Promise<void> {
  clearTimeout(retry);
  await Promise.all(
    waiting().map(async (token) => {
      if (await isOver(token)) store(waiting().filter((each) => each !== token));
    }),
  );
  if (waiting().length > 0) retry = setTimeout(() => void sendSignOuts(), RETRY_AFTER);
}

/** Whether the server has ended the session, or had before. */
async function isOver(token: string): Promise<boolean> {
  const headers = { ...QUIET, Authorization: `Bearer ${token}` };
  try {
    await call(api.POST("/identity/authentication/sign-out", { headers }));
    return true;
  } catch (reason) {
    return asApiError(reason).status === 401;
  }
}

window.addEventListener("online", () => void sendSignOuts());
window.addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) changes.set(changes.get() + 1);
});
// What an earlier page left.
void sendSignOuts();

/** Whether a session that ended here is still good at the server. */
export function useSignOutWaits(): boolean {
  return changes.use(() => localStorage.getItem(KEY) !== null);
}

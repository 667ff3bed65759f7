/** Sign ended sessions out at the server, at once or when it can be reached again. */
import { external } from "@/shared/external";
import { ofBrowser, parseStored } from "@/shared/stored";
import { asApiError } from "./ApiError";
import { api, call, QUIET } from "./client";

/**
 * The key of the tokens that the server may still accept. They are stored only here, until the
 * server has answered.
 */
const KEY = "pendingSignOuts";
const RETRY_AFTER = 5_000;

/** Counts the changes of the stored tokens. */
const changes = external(0);
let sending: Promise<void> | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;

function waiting(): string[] {
  const tokens = parseStored(ofBrowser.getItem(KEY));
  return Array.isArray(tokens) ? tokens.filter((each) => typeof each === "string") : [];
}

function store(tokens: readonly string[]): void {
  if (tokens.length === 0) ofBrowser.removeItem(KEY);
  else ofBrowser.setItem(KEY, JSON.stringify(tokens));
  changes.set(changes.get() + 1);
}

/** Sign a session out at the server. The sign-out is stored until the server has answered. */
export function signOutAtServer(token: string): void {
  store([...new Set([...waiting(), token])]);
  void sendSignOuts();
}

/** Send every stored sign-out. Resolves once each was tried; failed ones are tried again after 5 s. */
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

/** Sign a session out. Returns whether it is over at the server, now or already before. */
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
// Send the sign-outs that an earlier page stored.
void sendSignOuts();

/** Whether a session that ended here may still be valid at the server. */
export function useSignOutWaits(): boolean {
  return changes.use(() => ofBrowser.getItem(KEY) !== null);
}

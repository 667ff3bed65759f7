/** Ask for the start of the stored session before the product's code is loaded. */
import { address } from "../bases";
import { readLanguage } from "../language";
import { readStoredSession } from "../session/storedSession";

let sent: { token: string; answer: Promise<Response> } | null = null;

export function askEarly(): void {
  const token = readStoredSession()?.token;
  if (token === undefined) return;
  const headers = { Authorization: `Bearer ${token}`, "Accept-Language": readLanguage() };
  // Read it whole at once: a page that has no use for it, such as a wall, would leave the call open.
  const answer = fetch(address("/api/start"), { method: "POST", headers }).then(
    async (got) => new Response(await got.arrayBuffer(), got),
  );
  answer.catch(() => undefined); // The caller who takes the answer reports the failure.
  sent = { token, answer };
}

/** The answer to the early call for this token, once; undefined if there was none. */
export function takeEarly(token: string): Promise<Response> | undefined {
  const taken = sent?.token === token ? sent.answer : undefined;
  sent = null;
  return taken;
}

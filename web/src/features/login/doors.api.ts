/** Calls of the second step of a sign-in, and of the ways beside the password. */
import { api, call, QUIET } from "@/shared/http/client";
import { answerByPasskey, makePasskey } from "@/shared/http/passkeys";
import { openSession } from "./signIn.api";

/**
 * Sign in by a passkey. `inField`: only offer passkeys in the list of the e-mail field, until one is
 * chosen. Rejects with ApiError.
 */
export async function signInByPasskey(
  how: { inField?: boolean; signal?: AbortSignal } = {},
): Promise<true> {
  const options = await call(
    api.POST("/identity/authentication/passkey/options", { headers: how.inField ? QUIET : {} }),
  );
  const body = await answerByPasskey(options, how);
  const { access_token: token } = await call(
    api.POST("/identity/authentication/passkey", { body }),
  );
  await openSession(token);
  return true;
}

/** Send a code. Answers the token, and the recovery codes of a new app. The session is not stored yet. */
export const sendCode = (challenge: string, code: string, remember: boolean) =>
  call(api.POST("/identity/authentication/second-factor", { body: { challenge, code, remember } }));

export const beginApp = (challenge: string) =>
  call(api.POST("/identity/authentication/second-factor/app", { body: { challenge } }));

/** Set up a passkey during a sign-in that requires one, and finish the sign-in. */
export async function setUpPasskey(challenge: string, name: string): Promise<true> {
  const options = await call(
    api.POST("/identity/authentication/second-factor/passkey/options", { body: { challenge } }),
  );
  const made = await makePasskey(options);
  const { access_token: token } = await call(
    api.POST("/identity/authentication/second-factor/passkey", {
      body: { ...made, challenge, name },
    }),
  );
  await openSession(token);
  return true;
}

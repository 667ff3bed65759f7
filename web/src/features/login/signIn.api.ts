/** Sign in and recover passwords. See infra/docs/rules.md#sign-in. */
import { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { startOf } from "@/shared/http/start";
import { changeLanguage } from "@/shared/i18n";
import { languageOf } from "@/shared/language";
import { storeSession } from "@/shared/session/session";

/** What a sign-in still needs, as the refusal `second_factor_required` says. */
export type Step = {
  challenge: string;
  factors: readonly Factor[];
  enrolls: readonly Factor[];
  rememberDays: number;
};
type Factor = "code" | "passkey";

/**
 * Sign in by e-mail and password. Throws ApiError: 401 `invalid_credentials` or
 * `second_factor_required`, 429 `too_many_attempts`, or a network error.
 */
export async function signIn(username: string, password: string): Promise<void> {
  const { access_token: token } = await call(
    api.POST("/identity/authentication/sign-in", {
      body: { username, password, rememberLogin: true },
    }),
  );
  await openSession(token);
}

/** Return what the sign-in still needs; null if it was refused for another reason. */
export function stepOf({ code, params }: ApiError): Step | null {
  return code === "second_factor_required" ? (params as Step) : null;
}

/** Load the permissions and the user of a new token, and store the session. */
export async function openSession(token: string, leaveAt: string | null = null): Promise<void> {
  const { user, permissions } = await startOf(token);
  if (user === null) {
    throw new ApiError(200, { code: "unreadable_token", message: "", params: {}, errors: [] });
  }
  // Change the language before storing the session, so that the first screen is in the user's
  // language.
  await changeLanguage(languageOf(user));
  storeSession({ token, user, permissions }, leaveAt);
}

/**
 * Request a recovery link. Returns true if the server mails one to a known address, false if it
 * cannot send mail.
 */
export async function askRecovery(email: string): Promise<boolean> {
  const { mail } = await call(
    api.POST("/identity/authentication/recover-password", { body: { email } }),
  );
  return mail;
}

/**
 * Set a new password. Throws ApiError: 422 `invalid_token`, `confirmation_differs` or
 * `weak_password`.
 */
export async function resetPassword(
  headers: { "Idempotency-Key": string },
  token: string,
  newPassword: string,
  confirmNewPassword: string,
): Promise<boolean> {
  const body = { token, newPassword, confirmNewPassword };
  await call(api.POST("/identity/authentication/reset-password", { body, headers }));
  return true;
}

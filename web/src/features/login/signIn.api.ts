/** Signing in: token, then permissions and the person, then the session. See infra/docs/rules.md#sign-in. */
import { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { loadPermissions, loadUser } from "@/shared/http/permissions";
import { changeLanguage } from "@/shared/i18n";
import { languageOf } from "@/shared/session/language";
import { storeSession } from "@/shared/session/session";
import { readClaims } from "@/shared/session/token";

/** Throws ApiError: 401 `invalid_credentials`, 429 `too_many_attempts`, or what the network did. */
export async function signIn(username: string, password: string): Promise<void> {
  const { access_token: token } = await call(
    api.POST("/identity/authentication/sign-in", {
      body: { username, password, rememberLogin: true },
    }),
  );
  const subject = readClaims(token)?.sub;
  if (subject === undefined) {
    throw new ApiError(200, { code: "unreadable_token", message: "", params: {}, errors: [] });
  }
  const headers = { Authorization: `Bearer ${token}` };
  const [permissions, user] = await Promise.all([
    loadPermissions(subject, headers),
    loadUser(Number(subject), headers),
  ]);
  // The first screen is drawn in the person's own language, whatever this browser showed before.
  await changeLanguage(languageOf(user));
  storeSession({ token, user, permissions });
}

/** Asks for a recovery link. True where the server mails one to a known address; false where it has no mail. */
export async function askRecovery(email: string): Promise<boolean> {
  const { mail } = await call(
    api.POST("/identity/authentication/recover-password", { body: { email } }),
  );
  return mail;
}

/** Throws ApiError: 422 `invalid_token`, `confirmation_differs`, `weak_password`. */
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

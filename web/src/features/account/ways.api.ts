/** Calls for the user's own ways of signing in. */
import type { Schemas } from "@/contract";
import { api, call } from "@/shared/http/client";
import { useAnswer } from "@/shared/http/data";
import { makePasskey } from "@/shared/http/passkeys";

export type Ways = Schemas["WaysOut"];
export type Passkey = Schemas["PasskeyOut"];
export const WAYS = "/identity/ways";

export const useWays = () => useAnswer(WAYS);

const place = (id: number) => ({ params: { path: { passkey_id: id } } });

export const beginApp = (currentPassword: string) =>
  call(api.POST("/identity/ways/app", { body: { currentPassword } }));

export const confirmApp = (code: string) =>
  call(api.POST("/identity/ways/app/confirm", { body: { code } }));

export const removeApp = (currentPassword: string) =>
  call(api.POST("/identity/ways/app/remove", { body: { currentPassword } }));

export const renewCodes = (currentPassword: string) =>
  call(api.POST("/identity/ways/recovery-codes", { body: { currentPassword } }));

/** Make a passkey on this device and store it. Rejects with ApiError. */
export async function addPasskey(currentPassword: string, name: string): Promise<Passkey> {
  const options = await call(
    api.POST("/identity/ways/passkeys/options", { body: { currentPassword } }),
  );
  const made = await makePasskey(options);
  return call(api.POST("/identity/ways/passkeys", { body: { ...made, name } }));
}

export const renamePasskey = (id: number, name: string) =>
  call(api.POST("/identity/ways/passkeys/{passkey_id}/rename", { ...place(id), body: { name } }));

export const removePasskey = (id: number, currentPassword: string) =>
  call(
    api.POST("/identity/ways/passkeys/{passkey_id}/remove", {
      ...place(id),
      body: { currentPassword },
    }),
  );

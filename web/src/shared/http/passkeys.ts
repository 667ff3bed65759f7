/**
 * Passkeys in the browser. The server's options name binary values in base64url, and so do the
 * answers. See infra/docs/rules.md#passkeys.
 */
import type { Schemas } from "@/contract";
import { ApiError, asApiError } from "./ApiError";

type Options = Schemas["PasskeyOptions"];
export type NewPasskey = Pick<Schemas["NewPasskey"], "state" | "id" | "clientData" | "attestation">;
export type PasskeyAnswer = Schemas["PasskeyAnswer"];

/** Whether this browser can make and use passkeys. It cannot on a page without HTTPS. */
export function knowsPasskeys(): boolean {
  return "PublicKeyCredential" in window && "credentials" in navigator;
}

/** Whether the browser can offer passkeys in the list of the e-mail field. */
export async function offersInField(): Promise<boolean> {
  return (
    knowsPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)
  );
}

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );

function toText(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

interface Described {
  id: string;
  type: "public-key";
}

type Creation = Omit<
  PublicKeyCredentialCreationOptions,
  "challenge" | "user" | "excludeCredentials"
> & {
  challenge: string;
  user: Omit<PublicKeyCredentialUserEntity, "id"> & { id: string };
  excludeCredentials?: Described[];
};

/** Make a passkey. Rejects with ApiError, also if the browser refuses (`refusedBy`). */
export async function makePasskey({ options, state }: Options): Promise<NewPasskey> {
  const asked = options as unknown as Creation;
  const publicKey = {
    ...asked,
    challenge: toBytes(asked.challenge),
    user: { ...asked.user, id: toBytes(asked.user.id) },
    excludeCredentials: (asked.excludeCredentials ?? []).map((one) => ({
      ...one,
      id: toBytes(one.id),
    })),
  };
  const made = (await given(navigator.credentials.create({ publicKey }))) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    state,
    id: made.id,
    clientData: toText(response.clientDataJSON),
    attestation: toText(response.attestationObject),
  };
}

/**
 * Let the user choose one of their passkeys for this site. `inField`: only offer them in the list of
 * the e-mail field. Rejects with ApiError, also if the browser refuses (`refusedBy`).
 */
export async function answerByPasskey(
  { options, state }: Options,
  { inField = false, signal }: { inField?: boolean; signal?: AbortSignal } = {},
): Promise<PasskeyAnswer> {
  const asked = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const found = (await given(
    navigator.credentials.get({
      publicKey: {
        challenge: toBytes(asked.challenge),
        userVerification: "required",
        ...(asked.rpId === undefined ? {} : { rpId: asked.rpId }),
      },
      ...(inField ? { mediation: "conditional" as const } : {}),
      ...(signal === undefined ? {} : { signal }),
    }),
  )) as PublicKeyCredential;
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    state,
    id: found.id,
    clientData: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    handle: response.userHandle === null ? "-" : toText(response.userHandle),
  };
}

/** Why the browser gave no passkey: the user closed its dialog, it has one already, or it cannot. */
export type Refused = "canceled" | "here" | "impossible";

const REFUSED: Readonly<Record<string, Refused>> = {
  AbortError: "canceled",
  NotAllowedError: "canceled",
  InvalidStateError: "here",
};

/** Wait for the browser. Its own errors become ApiErrors, because senders pass no others on. */
async function given<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (reason) {
    if (!(reason instanceof DOMException)) throw reason;
    const code = `browser_${REFUSED[reason.name] ?? "impossible"}`;
    throw new ApiError(400, { code, message: reason.message, params: {}, errors: [] });
  }
}

/** Why the browser gave no passkey; null if something else failed. */
export function refusedBy(reason: unknown): Refused | null {
  const { code } = asApiError(reason);
  const known: readonly Refused[] = ["canceled", "here", "impossible"];
  return known.find((one) => code === `browser_${one}`) ?? null;
}

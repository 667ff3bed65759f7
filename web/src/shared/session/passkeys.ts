/**
 * Passkeys in the browser. The server's options name binary values in base64url, and so do the
 * answers. See infra/docs/rules.md#passkeys.
 */
import type { Schemas } from "@/contract";

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

/** Make a passkey. Rejects with DOMException if the user cancels, or if the device has one already. */
export async function makePasskey({ options, state }: Options): Promise<NewPasskey> {
  const given = options as unknown as Creation;
  const publicKey = {
    ...given,
    challenge: toBytes(given.challenge),
    user: { ...given.user, id: toBytes(given.user.id) },
    excludeCredentials: (given.excludeCredentials ?? []).map((one) => ({
      ...one,
      id: toBytes(one.id),
    })),
  };
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
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
 * the e-mail field. Rejects with DOMException if the user cancels or `signal` aborts.
 */
export async function answerByPasskey(
  { options, state }: Options,
  { inField = false, signal }: { inField?: boolean; signal?: AbortSignal } = {},
): Promise<PasskeyAnswer> {
  const given = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const found = (await navigator.credentials.get({
    publicKey: {
      challenge: toBytes(given.challenge),
      userVerification: "required",
      ...(given.rpId === undefined ? {} : { rpId: given.rpId }),
    },
    ...(inField ? { mediation: "conditional" as const } : {}),
    ...(signal === undefined ? {} : { signal }),
  })) as PublicKeyCredential;
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

/** Whether the user closed the browser's dialog, or the page stopped it. */
export function isCanceled(reason: unknown): boolean {
  return reason instanceof DOMException && ["AbortError", "NotAllowedError"].includes(reason.name);
}

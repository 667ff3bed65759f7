/** The typed client of the server's contract: `await call(api.GET("/api/sales-order"))`. */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "@/contract";
import { address } from "@/shared/bases";
import { displayToken } from "@/shared/session/display";
import { namedErased } from "@/shared/format/erased";
import { DEFAULT_LANGUAGE, readLanguage } from "@/shared/session/language";
import { expireSession, getSession, type Session } from "@/shared/session/session";
import { ApiError, asApiError, isErrorBody } from "./ApiError";
import { isQuiet, isSilent, whileLoading } from "./activity";
import { take } from "./store";

/** Marks a call nobody waits for, the live ticket for one: it shows no spinner and is not sent on. */
export const QUIET = { "X-Quiet": "1" } as const;
/** How long a read-mark's own message is seen before the session ends. */
const LAST_WORDS = 1_500;
const SIGN_IN = "/authentication/sign-in";

class ServedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === "string" ? address(input) : input, init);
    // The request is made in the same step as the call, before anything is awaited.
    if (isQuiet()) this.headers.set("X-Quiet", "1");
  }
}

async function send(request: Request): Promise<Response> {
  const quiet = request.headers.has("X-Quiet") || isSilent(request.url);
  request.headers.delete("X-Quiet");
  return inWords(await (quiet ? fetch(request) : whileLoading(() => fetch(request))));
}

/** The answer as the person reads it: an erased person is called so in the language on screen. */
async function inWords(response: Response): Promise<Response> {
  const language = readLanguage();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (!isJson || language === DEFAULT_LANGUAGE) return response;
  const { status, statusText, headers } = response;
  const text = await response.text();
  // A response of 204 refuses even an empty body.
  const body = text === "" ? null : namedErased(text, language);
  return new Response(body, { status, statusText, headers });
}

function endOf(session: Session): void {
  if (getSession()?.token === session.token) expireSession();
}

const everyRequest: Middleware = {
  onRequest({ request }) {
    const token = displayToken() ?? getSession()?.token;
    // At a station a call may be made in the name of who was named there.
    if (token !== undefined && !request.headers.has("Authorization")) {
      request.headers.set("Authorization", `Bearer ${token}`);
    }
    request.headers.set("Accept-Language", readLanguage());
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", newKey());
    }
    return request;
  },
  onResponse({ request, response }) {
    const tokenSent = request.headers.get("Authorization");
    const current = getSession();
    // An answer to an earlier session must not end the one that has begun since.
    if (
      response.status === 401 &&
      !request.url.endsWith(SIGN_IN) &&
      current !== null &&
      tokenSent === `Bearer ${current.token}`
    ) {
      // A read-mark says what became of it first.
      if (isSilent(request.url)) setTimeout(() => endOf(current), LAST_WORDS);
      else expireSession();
    }
  },
};

// Lists are also to be had as files; who asks for one says so by `parseAs`.
export const api = createClient<paths, "application/json">({
  baseUrl: "",
  fetch: send,
  Request: ServedRequest,
});
api.use(everyRequest);

/** A key that makes a repeated write harmless: the server answers what the first one answered. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

type Answer<T> =
  | { data: T; error?: never; response: Response }
  | { data?: never; error: unknown; response: Response };

export interface Loaded<T> {
  data: T;
  headers: Headers;
}

/**
 * Awaits a call; answers its body and headers or throws ApiError. Anything but 200 and 201 is an error. The documents in
 * the body are put into the store.
 */
export async function callWithHeaders<T>(request: Promise<Answer<T>>): Promise<Loaded<T>> {
  let answer: Answer<T>;
  try {
    answer = await request;
  } catch (reason) {
    throw asApiError(reason);
  }
  const { status, headers } = answer.response;
  if (status === 200 || status === 201) {
    take(answer.data);
    return { data: answer.data as T, headers };
  }
  const body = isErrorBody(answer.error)
    ? { ...answer.error, params: answer.error.params ?? {}, errors: answer.error.errors ?? [] }
    : { code: "unexpected_answer", message: String(status), params: {}, errors: [] };
  const retryAfter = headers.get("Retry-After");
  throw new ApiError(status, {
    ...body,
    params: retryAfter === null ? body.params : { retryAfter: Number(retryAfter), ...body.params },
  });
}

export async function call<T>(request: Promise<Answer<T>>): Promise<T> {
  return (await callWithHeaders(request)).data;
}

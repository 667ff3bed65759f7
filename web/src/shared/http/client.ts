/** The client of the API, typed by its contract: `await call(api.GET("/api/sales-order"))`. */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "@/contract";
import { address } from "@/shared/bases";
import { displayToken } from "@/shared/session/display";
import { namedErased } from "@/shared/format/erased";
import { DEFAULT_LANGUAGE, readLanguage } from "@/shared/language";
import { expireSession, getSession, type Session } from "@/shared/session/session";
import { ApiError, asApiError, refusalOf } from "./ApiError";
import { isQuiet, whileLoading } from "./activity";
import { take } from "./store";

/** Header of a call without a spinner, such as the live ticket. It is removed before the call is sent. */
export const QUIET = { "X-Quiet": "1" } as const;
/** The calls that mark messages as read. They show no spinner, and show their message before a 401 ends the session. */
const READ_MARKS: readonly string[] = [
  "/api/notices/bell/read",
  "/api/notifications/{notification_id}/read",
  "/api/notifications/read/all",
] satisfies (keyof paths)[];
/** Milliseconds for which the message of a failed read-mark is shown before the session ends. */
const MESSAGE_TIME = 1_500;
const SIGN_IN = "/authentication/sign-in";

class ServedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === "string" ? address(input) : input, init);
    // The request is created before the first `await` of a call, so `isQuiet` is still that of the caller.
    if (isQuiet()) this.headers.set("X-Quiet", "1");
  }
}

async function send(request: Request): Promise<Response> {
  const quiet = request.headers.has("X-Quiet");
  request.headers.delete("X-Quiet");
  return inWords(await (quiet ? fetch(request) : whileLoading(() => fetch(request))));
}

/** Translate the name of erased people in a JSON answer to the user's language. */
export async function inWords(response: Response): Promise<Response> {
  const language = readLanguage();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (!isJson || language === DEFAULT_LANGUAGE) return response;
  const { status, statusText, headers } = response;
  const text = await response.text();
  // The constructor throws for a 204 with any body, even an empty one.
  const body = text === "" ? null : namedErased(text, language);
  return new Response(body, { status, statusText, headers });
}

function endIfCurrent(session: Session): void {
  if (getSession()?.token === session.token) expireSession();
}

const everyRequest: Middleware = {
  onRequest({ request, schemaPath }) {
    if (READ_MARKS.includes(schemaPath)) request.headers.set("X-Quiet", "1");
    const token = displayToken() ?? getSession()?.token;
    // A station may have set the token of the worker who acts there.
    if (token !== undefined && !request.headers.has("Authorization")) {
      request.headers.set("Authorization", `Bearer ${token}`);
    }
    request.headers.set("Accept-Language", readLanguage());
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", newKey());
    }
    return request;
  },
  onResponse({ request, response, schemaPath }) {
    const tokenSent = request.headers.get("Authorization");
    const current = getSession();
    // A 401 of an earlier session must not end the current one.
    if (
      response.status === 401 &&
      !request.url.endsWith(SIGN_IN) &&
      current !== null &&
      tokenSent === `Bearer ${current.token}`
    ) {
      if (READ_MARKS.includes(schemaPath)) setTimeout(() => endIfCurrent(current), MESSAGE_TIME);
      else expireSession();
    }
  },
};

const options = { baseUrl: "", fetch: send, Request: ServedRequest };
// Lists may also be answered as files; such calls set `parseAs`.
export const api = createClient<paths, "application/json">(options);
api.use(everyRequest);

const untyped = createClient<Record<string, Record<Method, Operation>>, "application/json">(
  options,
);
untyped.use(everyRequest);

type Method = "get" | "post" | "put" | "delete";
interface Operation {
  parameters: { path?: object; query?: object };
  requestBody?: { content: { "application/json": object } };
  responses: { 200: { content: { "application/json": unknown } } };
}
type Init = {
  params?: { path?: object; query?: object };
  body?: object;
  bodySerializer?: (body: object | undefined) => unknown;
  headers?: Record<string, string>;
  parseAs?: "blob";
};

/**
 * Call a path that is a variable, such as that of a catalog: the contract types literal paths only. `T`: the answer,
 * which the caller knows.
 */
export function requestAt<T>(method: Method, path: string, init: Init): Promise<Answer<T>> {
  return untyped.request(method, path, init) as Promise<Answer<T>>;
}

/** Make an idempotency key: the server answers a repeated write with its first answer. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

export type Answer<T> =
  | { data: T; error?: never; response: Response }
  | { data?: never; error: unknown; response: Response };

export interface Loaded<T> {
  data: T;
  headers: Headers;
}

/**
 * Await a call and return its body and headers, or throw ApiError. Any status but 200 and 201 is an
 * error. Puts the documents in the body into the store.
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
  const refusal = refusalOf(status, answer.error);
  const retryAfter = headers.get("Retry-After");
  if (retryAfter === null) throw refusal;
  const { code, message, errors } = refusal;
  const params = { retryAfter: Number(retryAfter), ...refusal.params };
  throw new ApiError(status, { code, message, errors, params });
}

export async function call<T>(request: Promise<Answer<T>>): Promise<T> {
  return (await callWithHeaders(request)).data;
}

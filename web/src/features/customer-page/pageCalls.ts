/**
 * Calls of a customer link's page. They carry no session: the token in the address decides what
 * they may read.
 */
import type { CustomerPage, PageAnswer, PageAnswerIn, PagePaper } from "@/contract";
import { address } from "@/shared/bases";
import { asApiError, refusalOf } from "@/shared/http/ApiError";
import { fileNameOf, saveFile } from "@/shared/http/files";
import { readLanguage } from "@/shared/language";

/** Make a call. Throws ApiError unless the status is a success. */
async function ask(token: string, path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address(`/api/c/${encodeURIComponent(token)}${path}`), {
      ...init,
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      headers: { "Accept-Language": readLanguage(), ...init.headers },
    });
  } catch (reason) {
    throw asApiError(reason);
  }
  if (response.ok) return response;
  throw refusalOf(response.status, await bodyOf(response));
}

/** Parse the body of an error; null if it is not JSON, such as a proxy's own error page. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown;
  } catch (reason) {
    if (reason instanceof SyntaxError) return null;
    throw reason;
  }
}

const post = (body?: unknown): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

/** Load the page. `first`: a person has just opened it, which the server counts. */
export async function loadPage(token: string, first: boolean): Promise<CustomerPage> {
  const response = await ask(token, first ? "?first=true" : "");
  return (await response.json()) as CustomerPage;
}

export async function pageTicket(token: string): Promise<string> {
  const response = await ask(token, "/ticket", post());
  return ((await response.json()) as { ticket: string }).ticket;
}

export async function sendAnswer(token: string, body: PageAnswerIn): Promise<PageAnswer> {
  const response = await ask(token, "/answers", post(body));
  return (await response.json()) as PageAnswer;
}

export async function savePaper(token: string, one: PagePaper): Promise<void> {
  const { billId, paper, number } = one;
  const response = await ask(token, `/papers/${billId}/${paper}`);
  const name = fileNameOf(response.headers.get("Content-Disposition")) ?? `${number}.pdf`;
  saveFile(await response.blob(), name);
}

/** Files that only a signed-in person may have: fetched with the token, handed to the browser, no token in an address. */
import { api, callWithHeaders } from "./client";

type Call = Parameters<typeof callWithHeaders>[0];

/** A list of the API as a file, by the filters and the order of its page; `place` fills the parameters of its path. */
export function listAsFile(
  path: string,
  asked: object,
  format: "xlsx" | "csv",
  place: object = {},
): Promise<unknown> {
  const params = { path: place, query: { ...asked, format } };
  return api.GET(path as "/api/materials", { params, parseAs: "blob" } as never);
}

/** A file as the server answered it. */
export interface ServedFile {
  file: Blob;
  name: string;
}

/** The answer to a call with `parseAs: "blob"`; `fallback` names what the server gave no name. Throws ApiError. */
export async function fetchFile(request: Promise<unknown>, fallback: string): Promise<ServedFile> {
  const { data, headers } = await callWithHeaders(request as Call);
  const name = fileNameOf(headers.get("Content-Disposition")) ?? fallback;
  return { file: data as Blob, name };
}

/** Fetches a file and saves it under the name that the server gave it. Throws ApiError. */
export async function download(request: Promise<unknown>, fallback: string): Promise<void> {
  const { file, name } = await fetchFile(request, fallback);
  saveFile(file, name);
}

/** Saves what was fetched under a name, as a click on a link would. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken the file once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address));
}

/** The name in `attachment; filename="…"`, or in its UTF-8 form. */
export function fileNameOf(disposition: string | null): string | null {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "")?.[1];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? null;
}

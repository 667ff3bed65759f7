/** Download files that need the session's token. They are fetched, so that no address contains the token. */
import { api, callWithHeaders } from "./client";

type Call = Parameters<typeof callWithHeaders>[0];

/** Request a list as a file, with the filters and order in `asked`. `place`: the parameters of the path. */
export function listAsFile(
  path: string,
  asked: object,
  format: "xlsx" | "csv",
  place: object = {},
): Promise<unknown> {
  const params = { path: place, query: { ...asked, format } };
  return api.GET(path as "/api/materials", { params, parseAs: "blob" } as never);
}

export interface ServedFile {
  file: Blob;
  name: string;
}

/** Await a call made with `parseAs: "blob"`. `fallback`: the name if the server gave none. Throws ApiError. */
export async function fetchFile(request: Promise<unknown>, fallback: string): Promise<ServedFile> {
  const { data, headers } = await callWithHeaders(request as Call);
  const name = fileNameOf(headers.get("Content-Disposition")) ?? fallback;
  return { file: data as Blob, name };
}

/** Fetch a file and save it under the name that the server gave it. Throws ApiError. */
export async function download(request: Promise<unknown>, fallback: string): Promise<void> {
  const { file, name } = await fetchFile(request, fallback);
  saveFile(file, name);
}

/** Save a file by clicking a temporary link. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser needs the address until it has handled the click.
  setTimeout(() => URL.revokeObjectURL(address));
}

/** Read the name in `attachment; filename="…"` or `filename*=utf-8''…`. Null if there is none. */
export function fileNameOf(disposition: string | null): string | null {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "")?.[1];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? null;
}

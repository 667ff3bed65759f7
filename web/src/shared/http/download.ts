/** Download files that need the session's token. They are fetched, so that no address contains the token. */
import { api, callWithHeaders } from "./client";
import { fileNameOf, saveFile } from "./files";

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

/** Download files that need the session's token. They are fetched, so that no address contains the token. */
import { callWithHeaders, requestAt, type Answer } from "./client";
import { fileNameOf, saveFile } from "./files";

/** A call made with `parseAs: "blob"`. */
export type FileCall = Promise<Answer<Blob>>;

/** Request a list as a file, with the filters and order in `asked`. `place`: the parameters of the path. */
export function listAsFile(
  path: string,
  asked: object,
  format: "xlsx" | "csv",
  place: object = {},
): FileCall {
  const params = { path: place, query: { ...asked, format } };
  return requestAt<Blob>("get", path, { params, parseAs: "blob" });
}

export interface ServedFile {
  file: Blob;
  name: string;
}

/** Await the file of a call. `fallback`: the name if the server gave none. Throws ApiError. */
export async function fetchFile(asked: FileCall, fallback: string): Promise<ServedFile> {
  const { data, headers } = await callWithHeaders(asked);
  const name = fileNameOf(headers.get("Content-Disposition")) ?? fallback;
  return { file: data, name };
}

/** Fetch a file and save it under the name that the server gave it. Throws ApiError. */
export async function download(asked: FileCall, fallback: string): Promise<void> {
  const { file, name } = await fetchFile(asked, fallback);
  saveFile(file, name);
}

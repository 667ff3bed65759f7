/** Upload a file with progress, which `fetch` does not report. Resolves and rejects like `call`. */
import { address } from "@/shared/bases";
import { readLanguage } from "@/shared/language";
import { expireSession, getSession } from "@/shared/session/session";
import { refusalOf } from "./ApiError";
import { take } from "./store";

interface Sending {
  /** Gets the share that is sent, from 0 to 1. Not called while the size is unknown, or for an empty file. */
  onProgress: (part: number) => void;
  headers: Record<string, string>;
}

export function sendFile<T>(
  path: string,
  file: Blob,
  { onProgress, headers }: Sending,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const token = getSession()?.token;
    const request = new XMLHttpRequest();
    request.open("POST", address(path));
    request.responseType = "json";
    if (token !== undefined) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.setRequestHeader("Accept-Language", readLanguage());
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("error", () => reject(refusalOf(0, null)));
    request.addEventListener("load", () => {
      const { status, response } = request;
      if (status === 200 || status === 201) {
        take(response);
        resolve(response as T);
        return;
      }
      if (status === 401 && getSession()?.token === token) expireSession();
      reject(refusalOf(status, response));
    });
    request.send(file);
  });
}

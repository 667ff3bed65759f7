/** Print work sheets, and the progress of a print, which the server answers while the print is under way. */
import { api, call, QUIET } from "@/shared/http/client";
import { download } from "@/shared/http/download";
import { readLanguage } from "@/shared/language";

export interface Progress {
  done: number;
  total: number;
}

/** Load the progress of a print. Throws ApiError: 404 before it begins and after it is answered. */
export function loadProgress(runId: string): Promise<Progress> {
  return call(
    api.GET("/pdf/runs/{run_id}", { params: { path: { run_id: runId } }, headers: QUIET }),
  );
}

/** Make a UUID without `crypto.randomUUID`, which pages served without TLS lack. */
export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export interface Document {
  salesOrderId: number;
  /** If absent: every line of the order that is not canceled. */
  position?: number;
}

/**
 * Save the work sheets as one PDF under the file name that the server gives. Aborting `signal` stops the server
 * too. Throws ApiError.
 */
export function printSheets(
  documents: readonly Document[],
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  return download(
    api.POST("/pdf/create-pdf", {
      body: { documents: [...documents], language: readLanguage(), runId },
      headers: QUIET,
      parseAs: "blob",
      signal,
    }),
    "obrador.pdf",
  );
}

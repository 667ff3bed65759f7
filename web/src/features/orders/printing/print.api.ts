/** Print work sheets as one PDF, and load the progress of a print. */
import { api, call, QUIET } from "@/shared/http/client";
import { download } from "@/shared/http/download";
import { readLanguage } from "@/shared/session/language";

export interface Document {
  salesOrderId: number;
  /** If absent: every line of the order that is not canceled. */
  position?: number;
}

export interface Progress {
  done: number;
  total: number;
}

/**
 * Save the sheets under the file name that the server gives. Aborting `signal` stops the server
 * too. Throws ApiError.
 */
export function printSheets(
  documents: readonly Document[],
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  return download(
    api.POST("/pdf/create-pdf", {
      body: { documents: [...documents], language: readLanguage(), runId } as never,
      headers: QUIET,
      parseAs: "blob",
      signal,
    }),
    "obrador.pdf",
  );
}

/** Load the progress of a print. Throws ApiError: 404 before it begins and after it is answered. */
export function loadProgress(runId: string): Promise<Progress> {
  return call(
    api.GET("/pdf/runs/{run_id}", { params: { path: { run_id: runId } }, headers: QUIET }),
  );
}

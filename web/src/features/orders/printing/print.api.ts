/** Work sheets as one PDF, and how far a long print has come. */
import { api, call, QUIET } from "@/shared/http/client";
import { download } from "@/shared/http/download";
import { readLanguage } from "@/shared/session/language";

export interface Document {
  salesOrderId: number;
  /** Without one: every line of the order that is not canceled. */
  position?: number;
}

export interface Progress {
  done: number;
  total: number;
}

/** Saves the sheets under the name the server gives them; given up by `signal`, the server stops. Throws ApiError. */
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

/** 404 before the print begins and once it is answered. */
export function loadProgress(runId: string): Promise<Progress> {
  return call(
    api.GET("/pdf/runs/{run_id}", { params: { path: { run_id: runId } }, headers: QUIET }),
  );
}

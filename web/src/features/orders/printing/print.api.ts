/** Print work sheets as one PDF. */
import { api, QUIET } from "@/shared/http/client";
import { download } from "@/shared/http/download";
import { readLanguage } from "@/shared/session/language";

export interface Document {
  salesOrderId: number;
  /** If absent: every line of the order that is not canceled. */
  position?: number;
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

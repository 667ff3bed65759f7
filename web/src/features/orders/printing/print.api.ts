/** Work sheets as one PDF, and how far a long print has come. Contract, section 6. */
import { api, call, callWithHeaders, QUIET } from "@/shared/http/client";
import { saveFile } from "@/shared/http/download";
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

/** Saves the sheets under the name the server gives them. Throws ApiError. */
export async function printSheets(documents: readonly Document[], runId: string): Promise<void> {
  const { data, headers } = await callWithHeaders<unknown>(
    api.POST("/pdf/create-pdf", {
      body: { documents: [...documents], language: readLanguage(), runId } as never,
      headers: QUIET,
      parseAs: "blob",
    }) as never,
  );
  saveFile(data as Blob, fileNameOf(headers.get("Content-Disposition")) ?? "obrador.pdf");
}

/** 404 before the print begins and once it is answered. */
export function loadProgress(runId: string): Promise<Progress> {
  return call(
    api.GET("/pdf/runs/{run_id}", { params: { path: { run_id: runId } }, headers: QUIET }),
  );
}

/** The name in `attachment; filename="…"`, or in its UTF-8 form. */
export function fileNameOf(disposition: string | null): string | null {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "")?.[1];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? null;
}

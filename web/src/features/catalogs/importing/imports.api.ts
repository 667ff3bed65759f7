/** Calls of an import: template, upload, preview, mend, apply, discard. */
import type { FileChoices, Import, ImportRow } from "@/contract";
import type { Imported } from "@/shared/catalogPaths";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call, requestAt } from "@/shared/http/client";
import { useAnswer, useList } from "@/shared/http/data";
import { download } from "@/shared/http/download";
import { sendFile } from "@/shared/http/upload";

export type { Imported };

type Headers = { "Idempotency-Key": string };
export type Kind = "xlsx" | "csv";
export type Outcome = ImportRow["outcome"];

const CONTENT_TYPES: Record<Kind, string> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
};
/** Poll interval of a running import, in ms. */
const EVERY = 700;
const one = (id: number) => ({ params: { path: { import_id: id } } });

export function kindOf(fileName: string): Kind {
  return /\.xls[xm]$/i.test(fileName) ? "xlsx" : "csv";
}

export const isUnderWay = ({ state }: Import) => state === "reading" || state === "applying";

export function downloadTemplate(name: Imported, kind: Kind): Promise<void> {
  return download(
    requestAt<Blob>("get", `/api/imports/${name}/template.{kind}`, {
      params: { path: { kind } },
      parseAs: "blob",
    }),
    `${name}.${kind}`,
  );
}

/** Download the refused rows as a file of the uploaded file's kind. */
export function downloadRefused({ id, catalog, fileName }: Import): Promise<void> {
  const kind = kindOf(fileName);
  return download(
    api.GET("/api/imports/{import_id}/refused.{kind}", {
      params: { path: { import_id: id, kind } },
      parseAs: "blob",
    }),
    `${catalog}-refused.${kind}`,
  );
}

export function upload(
  headers: Headers,
  name: Imported,
  file: File,
  onProgress: (part: number) => void,
): Promise<Import> {
  return sendFile<Import>(`/api/imports/${name}`, file, {
    onProgress,
    headers: {
      ...headers,
      "Content-Type": CONTENT_TYPES[kindOf(file.name)],
      "X-File-Name": encodeURIComponent(file.name),
    },
  });
}

export function useImport(id: number | null) {
  return useAnswer("/api/imports/{import_id}", id === null ? null : { path: { import_id: id } }, {
    quiet: true,
    refreshInterval: (data?: Import) => (data !== undefined && isUnderWay(data) ? EVERY : 0),
  });
}

export function useImportRows(id: number, query: TableQuery<"outcome">, outcome: Outcome | "all") {
  const { outcome: _shown, ...rest } = query.server;
  const asked = {
    path: { import_id: id },
    query: outcome === "all" ? rest : { ...rest, outcome },
  };
  return useList("/api/imports/{import_id}/rows", asked, query, { quiet: true });
}

export function applyImport(headers: Headers, id: number): Promise<Import> {
  return call(api.POST("/api/imports/{import_id}/apply", { ...one(id), headers }));
}

/** Preview the import again. With `choices`, the server reads the file again. */
export function previewAgain(
  headers: Headers,
  id: number,
  choices: FileChoices = {},
): Promise<Import> {
  const params = { path: { import_id: id }, query: choices };
  return call(api.POST("/api/imports/{import_id}/preview", { params, headers }));
}

/** Write cells into a row of the preview. */
export function mendRow(
  headers: Headers,
  id: number,
  number: number,
  cells: Record<string, string>,
): Promise<Import> {
  return call(
    api.POST("/api/imports/{import_id}/mend", { ...one(id), headers, body: { number, cells } }),
  );
}

export function discardImport(headers: Headers, id: number): Promise<Import> {
  return call(api.DELETE("/api/imports/{import_id}", { ...one(id), headers }));
}

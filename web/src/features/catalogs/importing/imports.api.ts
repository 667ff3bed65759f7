/** Calls of an import: template, upload, preview, apply, discard. */
import type { FileChoices, Import, ImportRow } from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call } from "@/shared/http/client";
import { useAnswer, useList } from "@/shared/http/data";
import { download } from "@/shared/http/download";
import { sendFile } from "@/shared/http/upload";
import type { CatalogName } from "@/shared/http/keys";

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

/** Text files can be named after their separator. */
export const ENDINGS = [".xlsx", ".xlsm", ".csv", ".tsv", ".txt"];

export function kindOf(fileName: string): Kind | null {
  const [, ending] = /\.(xlsx|xlsm|csv|tsv|txt)$/i.exec(fileName) ?? [];
  if (ending === undefined) return null;
  return ending.toLowerCase().startsWith("xls") ? "xlsx" : "csv";
}

export const isUnderWay = ({ state }: Import) => state === "reading" || state === "applying";

export function downloadTemplate(name: CatalogName, kind: Kind): Promise<void> {
  return download(
    api.GET(`/api/imports/${name}/template.{kind}` as "/api/imports/items/template.{kind}", {
      params: { path: { kind } },
      parseAs: "blob",
    }),
    `${name}.${kind}`,
  );
}

export function upload(
  headers: Headers,
  name: CatalogName,
  file: File,
  onProgress: (part: number) => void,
): Promise<Import> {
  return sendFile<Import>(`/api/imports/${name}`, file, {
    onProgress,
    headers: {
      ...headers,
      "Content-Type": CONTENT_TYPES[kindOf(file.name) ?? "csv"],
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

export function useImportRows(id: number, query: TableQuery<"outcome">) {
  const asked = { path: { import_id: id }, query: query.server };
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

export function discardImport(headers: Headers, id: number): Promise<Import> {
  return call(api.DELETE("/api/imports/{import_id}", { ...one(id), headers }));
}

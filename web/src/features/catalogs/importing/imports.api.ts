/** The calls of an import: template, upload, preview, apply, discard. */
import useSWR from "swr";
import type { Import, ImportRow } from "@/contract";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders, QUIET } from "@/shared/http/client";
import { saveFile } from "@/shared/http/download";
import { sendFile } from "@/shared/http/upload";
import { keys } from "@/shared/keys";
import type { CatalogName } from "../catalog";

type Headers = { "Idempotency-Key": string };
export type Kind = "xlsx" | "csv";
export type Outcome = ImportRow["outcome"];

const CONTENT_TYPES: Record<Kind, string> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
};
/** How often an import under way is asked how far it is. */
const EVERY = 700;
const one = (id: number) => ({ params: { path: { import_id: id } } });

export function kindOf(fileName: string): Kind | null {
  const [, ending] = /\.(xlsx|csv)$/i.exec(fileName) ?? [];
  return ending === undefined ? null : (ending.toLowerCase() as Kind);
}

export const isUnderWay = ({ state }: Import) => state === "reading" || state === "applying";

export async function downloadTemplate(name: CatalogName, kind: Kind): Promise<void> {
  const file = await call(
    api.GET(`/api/imports/${name}/template.{kind}` as "/api/imports/items/template.{kind}", {
      params: { path: { kind } },
      parseAs: "blob",
    }),
  );
  saveFile(file as unknown as Blob, `${name}.${kind}`);
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
  return useSWR<Import, ApiError>(
    id === null ? null : keys.importing(id),
    () => call(api.GET("/api/imports/{import_id}", { ...one(id ?? 0), headers: QUIET })),
    { refreshInterval: (data) => (data !== undefined && isUnderWay(data) ? EVERY : 0) },
  );
}

/** `preview` tells one preview of an upload from the next, which has other rows. */
export function useImportRows(id: number, preview: string, query: TableQuery<"outcome">) {
  return useCursorList<ImportRow>(
    keys.importRows(id, { ...query.server, preview }),
    query,
    (page) =>
      callWithHeaders(
        api.GET("/api/imports/{import_id}/rows", {
          // The outcome stands in the address as text; the server judges it.
          params: { ...one(id).params, query: { ...query.server, ...page } as never },
          headers: QUIET,
        }),
      ),
  );
}

export function applyImport(headers: Headers, id: number): Promise<Import> {
  return call(api.POST("/api/imports/{import_id}/apply", { ...one(id), headers }));
}

export function previewAgain(headers: Headers, id: number): Promise<Import> {
  return call(api.POST("/api/imports/{import_id}/preview", { ...one(id), headers }));
}

export function discardImport(headers: Headers, id: number): Promise<Import> {
  return call(api.DELETE("/api/imports/{import_id}", { ...one(id), headers }));
}

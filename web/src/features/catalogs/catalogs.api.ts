/** Calls of the catalogs, which all have the same operations. See infra/docs/rules.md#catalogs. */
import { CATALOGS } from "@/contract";
import type { RecordCalls } from "@/shared/form/RecordDrawer";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call, requestAt } from "@/shared/http/client";
import { useAnswer, useList } from "@/shared/http/data";
import { download } from "@/shared/http/download";
import type { CatalogName } from "@/shared/http/keys";

export const CATALOG_FILTERS = ["status"] as const;

const listOf = (name: CatalogName) => `/api/${name}` as const;
const oneOf = (name: CatalogName) => `/api/${name}/{entry_id}` as const;
const path = (id: number) => ({ params: { path: { entry_id: id } } });

/** Build the query of a list. Short lists call the status `active`. */
export function askedOf(name: CatalogName, { server }: TableQuery<"status">) {
  const { status, ...others } = server;
  const { flag } = CATALOGS[name];
  return status === undefined || flag === null ? others : { ...others, [flag]: status };
}

export function useEntries<R extends object>(name: CatalogName, query: TableQuery<"status">) {
  return useList<ReturnType<typeof listOf>, R>(
    listOf(name),
    { query: askedOf(name, query) },
    query,
  );
}

/** Load one record. Sends no request if `id` is null. */
export function useEntry<R>(name: CatalogName, id: number | null) {
  const asked = id === null ? null : { path: { entry_id: id } };
  return useAnswer<ReturnType<typeof oneOf>, R>(oneOf(name), asked);
}

function entry<R>(name: CatalogName, id: number): Promise<R> {
  return call(requestAt<R>("get", oneOf(name), path(id)));
}

export function entryCalls<R, B extends object>(name: CatalogName): RecordCalls<R, B> {
  return {
    load: (id) => entry<R>(name, id),
    create: (headers, body) => call(requestAt<R>("post", listOf(name), { body, headers })),
    // If only the picture changed, the body is empty: load the record instead of writing it.
    update: (headers, id, body) =>
      Object.keys(body).length === 0
        ? entry<R>(name, id)
        : call(requestAt<R>("put", oneOf(name), { ...path(id), body, headers })),
    remove: (headers, id) => call(requestAt<R>("delete", oneOf(name), { ...path(id), headers })),
  };
}

/** Download all catalogs that the user may list, one sheet each. */
export function downloadCatalogs(): Promise<void> {
  return download(api.GET("/assets/catalogs.xlsx", { parseAs: "blob" }), "catalogs.xlsx");
}

/**
 * Calls of the catalogs. All catalogs have the same operations, so the calls are typed as those of
 * materials. See infra/docs/rules.md#catalogs.
 */
import { CATALOGS } from "@/contract";
import type { RecordCalls } from "@/shared/form/RecordDrawer";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call } from "@/shared/http/client";
import { useAnswer, useList } from "@/shared/http/data";
import { download } from "@/shared/http/download";
import type { CatalogName } from "@/shared/http/keys";

export const CATALOG_FILTERS = ["status"] as const;

const listOf = (name: CatalogName) => `/api/${name}` as "/api/materials";
const oneOf = (name: CatalogName) => `/api/${name}/{entry_id}` as "/api/materials/{entry_id}";
const path = (id: number) => ({ params: { path: { entry_id: id } } });

/** Build the query of a list. Short lists call the status `active`. */
export function askedOf(name: CatalogName, { server }: TableQuery<"status">) {
  const { status, ...others } = server;
  const { flag } = CATALOGS[name];
  return status === undefined || flag === null ? others : { ...others, [flag]: status };
}

export function useEntries<R extends object>(name: CatalogName, query: TableQuery<"status">) {
  return useList<"/api/materials", R>(listOf(name), { query: askedOf(name, query) }, query);
}

/** Load one record. Sends no request if `id` is null. */
export function useEntry<R>(name: CatalogName, id: number | null) {
  const asked = id === null ? null : { path: { entry_id: id } };
  return useAnswer<"/api/materials/{entry_id}", R>(oneOf(name), asked);
}

function entry<R>(name: CatalogName, id: number): Promise<R> {
  return call(api.GET(oneOf(name), path(id))) as Promise<unknown> as Promise<R>;
}

export function entryCalls<R, B extends object>(name: CatalogName): RecordCalls<R, B> {
  const answer = (written: Promise<unknown>) => written as Promise<R>;
  return {
    load: (id) => entry<R>(name, id),
    create: (headers, body) =>
      answer(call(api.POST(listOf(name), { body: body as never, headers }))),
    // If only the picture changed, the body is empty: load the record instead of writing it.
    update: (headers, id, body) =>
      Object.keys(body).length === 0
        ? entry<R>(name, id)
        : answer(call(api.PUT(oneOf(name), { ...path(id), body: body as never, headers }))),
    remove: (headers, id) => answer(call(api.DELETE(oneOf(name), { ...path(id), headers }))),
  };
}

/** Download all catalogs that the user may list, one sheet each. */
export function downloadCatalogs(): Promise<void> {
  return download(api.GET("/assets/catalogs.xlsx", { parseAs: "blob" }), "catalogs.xlsx");
}

/** The client's paths of the catalogs. */
import { isShortList, type CatalogName } from "./http/keys";

/** Catalogs with a page path that differs from their name. */
const OTHER_PATHS: Partial<Record<CatalogName, string>> = {
  "production-processes": "/catalogs/production-process",
  items: "/catalogs/products",
  "metal/trays": "/operations/metal/trays",
};

export function catalogPath(name: CatalogName): string {
  if (isShortList(name)) return `/catalogs/lists?list=${name}`;
  return OTHER_PATHS[name] ?? `/catalogs/${name}`;
}

/** A list that can be imported: a catalog, people, or piece prices. */
export type Imported = CatalogName | "users" | "process-item-prices";

/** The page of a list that can be imported. */
export function listPath(name: Imported): string {
  if (name === "users") return "/administration/users";
  return name === "process-item-prices" ? "/catalogs/piece-prices" : catalogPath(name);
}

export function importPath(name: Imported): string {
  return `${listPath(name)}/import`;
}

/** The page of a catalog with one of its records open. */
export function entryPath(name: CatalogName, id: number): string {
  const path = catalogPath(name);
  return `${path}${path.includes("?") ? "&" : "?"}record=${id}`;
}

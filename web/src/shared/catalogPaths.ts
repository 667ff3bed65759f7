/** The client's paths of the catalogs. */
import { isShortList, type CatalogName } from "./http/keys";

/** Catalogs with a page path that differs from their name. */
const OTHER_PATHS: Partial<Record<CatalogName, string>> = {
  "production-processes": "/catalogs/production-process",
  items: "/catalogs/products",
};

export function catalogPath(name: CatalogName): string {
  if (isShortList(name)) return `/catalogs/lists?list=${name}`;
  return OTHER_PATHS[name] ?? `/catalogs/${name}`;
}

/** The page of a list that can be imported. */
export function listPath(name: CatalogName | "users"): string {
  return name === "users" ? "/administration/users" : catalogPath(name);
}

export function importPath(name: CatalogName | "users"): string {
  return `${listPath(name)}/import`;
}

/** The page of a catalog with one of its records open. */
export function entryPath(name: CatalogName, id: number): string {
  const path = catalogPath(name);
  return `${path}${path.includes("?") ? "&" : "?"}record=${id}`;
}

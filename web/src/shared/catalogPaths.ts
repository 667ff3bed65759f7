/** Where the catalogs stand in the client. */
import { isShortList, type CatalogName } from "./http/keys";

/** Pages with another address than the path of their catalog. */
const OTHERWISE: Partial<Record<CatalogName, string>> = {
  "production-processes": "/catalogs/production-process",
  items: "/catalogs/products",
};

export function catalogPath(name: CatalogName): string {
  if (isShortList(name)) return `/catalogs/lists?list=${name}`;
  return OTHERWISE[name] ?? `/catalogs/${name}`;
}

export function importPath(name: CatalogName): string {
  return `${catalogPath(name)}/import`;
}

/** The page of a catalog with one of its records open. */
export function entryPath(name: CatalogName, id: number): string {
  const path = catalogPath(name);
  return `${path}${path.includes("?") ? "&" : "?"}record=${id}`;
}

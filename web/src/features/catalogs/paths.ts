/** Where the catalogs stand. Specification 1, section 2. */
import type { CatalogName } from "./catalog";

export const CATALOG_PATHS: Record<CatalogName, string> = {
  customers: "/catalogs/customers",
  components: "/catalogs/components",
  "export-tax-items": "/catalogs/export-tax-items",
  companies: "/catalogs/companies",
  materials: "/catalogs/materials",
  "production-processes": "/catalogs/production-process",
  items: "/catalogs/products",
  "customer-types": "/catalogs/lists?list=customer-types",
  "tax-sections": "/catalogs/lists?list=tax-sections",
  "release-reasons": "/catalogs/lists?list=release-reasons",
  "scrap-reasons": "/catalogs/lists?list=scrap-reasons",
};

export function importPath(name: CatalogName): string {
  return `${CATALOG_PATHS[name]}/import`;
}

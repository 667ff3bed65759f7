/** What one catalog is: where it stands, its columns, its form and what it sends. The screens are drawn from this table. */
import type { ComponentType, ReactNode } from "react";
import type { Permission } from "@/contract";
import type words from "@/locales/es/catalogs.json";
import type { NumberRule } from "@/shared/format/typedNumber";
import type { Resource } from "@/shared/http/keys";
import type { Columns } from "@/shared/ui/DataTable";

export type CatalogName = Exclude<
  Resource,
  "roles" | "users" | "displays" | "service-accounts" | "webhooks"
>;
export type FieldName = keyof (typeof words)["field"];
export type SectionName = keyof (typeof words)["section"];

/** What every record of a catalog has. */
export interface Entry {
  id: number;
  version: number;
  status?: boolean;
  /** What short lists call their status. */
  active?: boolean;
  image?: string | null;
  thumbnail?: string | null;
  nameImage?: string | null;
}

/** How a form reads a value aloud, for what somebody else changed. */
export type Spoken<V> = (values: V, tools: { yes: string; no: string }) => string;

interface FieldBase<V extends object> {
  name: keyof V & FieldName;
  /** Half of the row on a wide screen. */
  half?: boolean;
  spoken?: Spoken<V>;
}

export type Field<V extends object> = FieldBase<V> &
  (
    | { kind: "text"; required?: boolean; most?: number; pattern?: RegExp; digits?: boolean }
    | { kind: "long"; most?: number }
    | ({ kind: "number" } & NumberRule)
    /** Of one piece, in the currency that the form's values say. */
    | { kind: "price"; currency: (values: V) => string }
    | { kind: "switch" }
    /** A field of its own kind: gets value, onChange and id from the form. */
    | { kind: "choice"; Part: ComponentType; required?: boolean }
    /** Draws its own form items: rows that can be added and removed, an address. */
    | { kind: "part"; Part: ComponentType<{ label: string }> }
  );

export interface Section<V extends object> {
  title?: SectionName;
  fields: readonly Field<V>[];
}

type Permitted<P> = P extends `Update${infer Name}` ? Name : never;

export type Verb = "Create" | "Update" | "Delete";

export interface Catalog<R extends Entry, V extends object, B extends object> {
  resource: CatalogName;
  /** Ends the names of the permissions to create, update and delete. */
  permission: Permitted<Permission>;
  /** Where a verb needs another permission than its own. */
  needs?: Partial<Record<Verb, Permission>>;
  nameOf: (record: R) => string;
  columns: (tools: ColumnTools<R>) => Columns<R>;
  /** The lines of a card under the name, where the window is too narrow for a table. */
  card: (record: R) => ReactNode[];
  sections: readonly Section<V>[];
  blank: V;
  valuesOf: (record: R) => V;
  bodyOf: (values: V) => B;
  /** Absent where records cannot be made inactive. */
  inactive?: Partial<B>;
  /** The field that says whether a record can be chosen: `status` where it is left out. */
  flag?: "active";
  pictured?: boolean;
  importable?: boolean;
  width?: number;
  /** What stands of a record below its fields. */
  Below?: ComponentType<{ record: R }>;
}

/** What columns are made with; a column's key is the field the server sorts by. */
export interface ColumnTools<R> {
  name: (key: keyof R & FieldName, options?: { sorts?: boolean }) => Columns<R>[number];
  text: (key: keyof R & FieldName, options?: { sorts?: boolean }) => Columns<R>[number];
  number: (
    key: keyof R & FieldName,
    options?: { sorts?: boolean; currency?: (record: R) => string },
  ) => Columns<R>[number];
  own: (
    key: FieldName,
    render: (record: R) => ReactNode,
    options?: { sorts?: boolean },
  ) => Columns<R>[number];
  status: () => Columns<R>[number];
  picture: () => Columns<R>[number];
}

export function fieldsOf<V extends object>(sections: readonly Section<V>[]): Field<V>[] {
  return sections.flatMap(({ fields }) => fields);
}

/** The permission that a verb needs. */
export function needed(
  {
    permission,
    needs,
  }: { permission: Permitted<Permission>; needs?: Partial<Record<Verb, Permission>> },
  verb: Verb,
): Permission {
  return needs?.[verb] ?? (`${verb}${permission}` as Permission);
}

/** Whether a record can be chosen; undefined where all of its kind can. */
export function isActive({ status, active }: Entry): boolean | undefined {
  return status ?? active;
}

/** Where the catalogs stand. */
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

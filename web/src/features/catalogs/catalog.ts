/** What one catalog is: where it stands, its columns, its form and what it sends. The screens are drawn from this table. */
import type { ComponentType, ReactNode } from "react";
import type words from "@/locales/es/catalogs.json";
import type { NumberRule } from "@/shared/format/typedNumber";
import type { CatalogName } from "@/shared/http/keys";
import type { Columns } from "@/shared/ui/DataTable";

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

export interface Catalog<R extends Entry, V extends object, B extends object> {
  resource: CatalogName;
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
  pictured?: boolean;
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

/** Whether a record can be chosen; undefined where all of its kind can. */
export function isActive({ status, active }: Entry): boolean | undefined {
  return status ?? active;
}

/**
 * Define a catalog: its columns, its form and the body it sends. The pages are drawn from this
 * definition.
 */
import type { ComponentType, ReactNode } from "react";
import type words from "@/locales/es/catalogs.json";
import type { NumberRule } from "@/shared/format/typedNumber";
import type { CatalogName } from "@/shared/http/keys";
import type { Columns } from "@/shared/ui/DataTable";

export type FieldName = keyof (typeof words)["field"];
export type ExplainedName = keyof (typeof words)["explained"];
export type SectionName = keyof (typeof words)["section"];

/** Fields of every catalog record. */
export interface Entry {
  id: number;
  version: number;
  status?: boolean;
  /** The status of a short list's entry. */
  active?: boolean;
  image?: string | null;
  thumbnail?: string | null;
  nameImage?: string | null;
}

/** Format a value as text, to show what others changed. */
export type Spoken<V> = (values: V, tools: { yes: string; no: string }) => string;

interface FieldBase<V extends object> {
  name: keyof V & FieldName;
  /** Take half of the row in wide windows. */
  half?: boolean;
  spoken?: Spoken<V>;
}

export type Field<V extends object> = FieldBase<V> &
  (
    | {
        kind: "text";
        required?: boolean;
        most?: number;
        pattern?: RegExp;
        /** The usual format. The form warns about a text in another format, but saves it. */
        usual?: RegExp;
        digits?: boolean;
      }
    | { kind: "long"; most?: number }
    | ({ kind: "number" } & NumberRule)
    /** A price per piece, in the currency of the form's values. */
    | { kind: "price"; currency: (values: V) => string }
    | { kind: "switch" }
    /** A custom field. The form gives it value, onChange and id. */
    | { kind: "choice"; Part: ComponentType; required?: boolean }
    /** Renders its own form items: an address, or rows that can be added and removed. */
    | { kind: "part"; Part: ComponentType<{ label: string }> }
  );

export interface Section<V extends object> {
  title?: SectionName;
  /** Shown closed at first. Needs a title. */
  folded?: boolean;
  fields: readonly Field<V>[];
}

export interface Catalog<R extends Entry, V extends object, B extends object> {
  resource: CatalogName;
  nameOf: (record: R) => string;
  columns: (tools: ColumnTools<R>) => Columns<R>;
  /** The lines below the name on a card, for narrow windows. */
  card: (record: R) => ReactNode[];
  sections: readonly Section<V>[];
  blank: V;
  valuesOf: (record: R) => V;
  bodyOf: (values: V) => B;
  /** The change that deactivates a record. Absent if records cannot be deactivated. */
  inactive?: Partial<B>;
  pictured?: boolean;
  width?: number;
  /** Shown below the fields of a saved record. */
  Below?: ComponentType<{ record: R }>;
}

/** Functions that make columns. A column's key is the field the server sorts by. */
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

/** The sections of a new record, which is active. */
export function ofNew<V extends object>(sections: readonly Section<V>[]): Section<V>[] {
  const isAsked = ({ name }: Field<V>) => name !== "status" && name !== "active";
  return sections
    .map((section) => ({ ...section, fields: section.fields.filter(isAsked) }))
    .filter(({ fields }) => fields.length > 0);
}

/** Whether a record is active; undefined if its catalog has no status. */
export function isActive({ status, active }: Entry): boolean | undefined {
  return status ?? active;
}

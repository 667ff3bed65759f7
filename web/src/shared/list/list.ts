/** Define a list: its words, columns, filters and what opens. `RecordListPage` draws the page. */
import type { ResourceNamespaceMap } from "i18next";
import type { ComponentType, ReactNode } from "react";
import type { Permission } from "@/contract";
import type { OptionCatalog } from "@/shared/hooks/useOptions";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { Answer, Path } from "@/shared/http/keys";
import type { Columns } from "@/shared/ui/DataTable";
import type { DrawingName } from "@/shared/ui/Drawing";

type Files = ResourceNamespaceMap;
type Keys<File> = {
  [K in keyof File & string]: File[K] extends string ? K : `${K}.${Keys<File[K]>}`;
}[keyof File & string];
/** A text with the file it stands in: "billing:list.title". */
export type Word = { [F in keyof Files]: `${F}:${Keys<Files[F]>}` }[keyof Files];

/** The addresses of the API that answer this. */
type PathOf<Answered> = { [P in Path]: Answer<P> extends Answered ? P : never }[Path];

export interface RecordList<Row extends { id: number }, Filter extends string = never> {
  title: Word;
  /** The fields that the search covers. */
  search: Word;
  /** Shown if there are no records at all. */
  empty: Word;
  emptyHint?: Word;
  drawing?: DrawingName;
  path: PathOf<Row[]>;
  columns: (tools: ColumnTools<Row>) => Columns<Row>;
  /** A row's card, for touch screens. By default it is made of the columns. */
  card?: (row: Row) => ReactNode;
  /** The sort orders that cards offer, which have no column heads. */
  cardOrderings?: readonly (readonly [ordering: string, Word])[];
  /** Share the width by the columns' widths, so that the table does not scroll sideways. */
  fits?: boolean;
  /** The names of the filters in the page's address. */
  filterNames?: readonly Filter[];
  /** What the server is asked for while a filter is not set. */
  unfiltered?: Partial<Record<Filter, string>>;
  filters?: readonly ListFilter<Filter, Row>[];
  add?: Adding;
  /** The page that a row opens. */
  pathOf?: (row: Row) => string;
  /** The drawer that a row opens. */
  record?: RecordDrawing<Row>;
  /** The name of the list as a file, without extension. */
  file?: string;
  Actions?: ComponentType;
  /** Shown between the filters and the list. */
  Above?: ComponentType<FilteredProps<Filter, Row>>;
  rowClassName?: (row: Row) => string;
}

export interface FilteredProps<Filter extends string, Row> {
  query: TableQuery<Filter>;
  rows: Row[] | undefined;
}

/** `any`: shown while nothing is chosen; by default the label. */
export type ListFilter<Filter extends string, Row> =
  | { option: Filter; catalog: OptionCatalog; label: Word; any?: Word }
  | { choice: Filter; values: readonly (readonly [string, Word])[]; label: Word; any?: Word }
  | { days: true }
  | { name: Filter; label: Word; Part: ComponentType<FilteredProps<Filter, Row>> };

/** What adds a record: a page, or a drawer that is open while the address says `record=new`. */
export interface Adding {
  label: Word;
  permission: Permission;
  /** Shown in an empty list to users with the permission. */
  hint?: Word;
  path?: string;
  drawer?: (close: () => void) => ReactNode;
}

export interface RecordDrawing<Row> {
  path: PathOf<Row>;
  /** The name of the record's id in the path. */
  id: string;
  drawer: (row: Row, close: () => void) => ReactNode;
}

interface ColumnOptions {
  /** Whether the server sorts by the column's key. */
  sorts?: boolean;
  width?: number;
}

/** The fields of a row that hold a value of a type. */
type FieldOf<Row, Value> = {
  [K in keyof Row & string]: Row[K] extends Value ? K : never;
}[keyof Row & string];

type Column<Row> = Columns<Row>[number];
type Tool<Row, Value> = (
  field: FieldOf<Row, Value>,
  head: Word,
  options?: ColumnOptions,
) => Column<Row>;

/** Functions that make columns. A column's key is its field: the server sorts by it. */
export interface ColumnTools<Row> {
  text: Tool<Row, string | null>;
  /** A name that may be long: at most two rows. `none`: shown instead of an empty one. */
  name: (
    field: FieldOf<Row, string | null>,
    head: Word,
    options?: ColumnOptions & { wide?: boolean; none?: Word },
  ) => Column<Row>;
  number: Tool<Row, number>;
  grams: Tool<Row, number | null>;
  /** An amount in the currency of its row. */
  money: Tool<Row, number | null>;
  /** `none`: shown if there was no such moment. */
  instant: (
    field: FieldOf<Row, string | null>,
    head: Word,
    options?: ColumnOptions & { none?: Word },
  ) => Column<Row>;
  /** A link to what the row opens. */
  link: (
    key: string,
    head: Word,
    name: (row: Row) => ReactNode,
    options?: ColumnOptions,
  ) => Column<Row>;
  own: (
    key: string,
    head: Word,
    draw: (row: Row) => ReactNode,
    options?: ColumnOptions & { align?: "right" },
  ) => Column<Row>;
  /** A button in each row, without a visible head. No column without the permission. */
  button: (permission: Permission, head: Word, Button: ComponentType<{ row: Row }>) => Columns<Row>;
}

/** The user's last changes in the office, which Ctrl+Z takes back. See infra/docs/rules.md#taking-back-a-change. */
import {
  LINE_FIELDS,
  type Line,
  type LineIn,
  type LineRow,
  type LineStatus,
  type OrderLineChange,
  type SalesOrder,
  type SalesOrderIn,
} from "@/contract";
import { heldOf, nameOf, type Document, type Named } from "@/shared/http/store";
import { keysOf } from "@/shared/keysOf";
import { forgetWithSession } from "@/shared/session/session";

type Fields = Partial<LineIn>;
type Header = Pick<Partial<SalesOrderIn>, (typeof HEADER)[number]>;
/** Versions of an order and its lines, by kind and id. */
type Versions = ReadonlyMap<string, number>;

interface Versioned {
  /** The versions before the change, and those that it made. Ctrl+Z touches no other version. */
  from: Versions;
  made: Versions;
}

export interface LineChange extends Versioned {
  /** The line as it was answered. */
  line: Line;
  /** What it had before. */
  former: { fields: Fields } | { status: LineStatus };
}

export interface OrderChange extends Versioned {
  /** The order as it was answered. */
  order: SalesOrder;
  /** What it and its lines had before. */
  former: Header & { items?: OrderLineChange[] };
}

/** A change of a line or an order that the server accepted. */
export type Change = LineChange | OrderChange;

const MOST = 10;
const HEADER = ["salesOrderDate", "notes"] as const;
export const FIELDS = ["quantity", ...LINE_FIELDS.days, ...keysOf(LINE_FIELDS.texts)] as const;
let changes: readonly Change[] = [];

const versionsOf = (...documents: Document[]): Versions =>
  new Map(documents.map((each) => [nameOf(each), each.version]));

/** The version of a document that a change made. */
export const madeOf = ({ made }: Versioned, of: Named): number | undefined => made.get(nameOf(of));

/** Return what `before` had of the fields in `written` that `now` has otherwise; undefined if that is nothing. */
function formerOf<T extends object>(
  names: readonly (keyof T)[],
  written: object,
  before: T,
  now: T,
): Partial<T> | undefined {
  const changed = names.filter((name) => name in written && now[name] !== before[name]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, before[name]])) as Partial<T>;
}

/** Run a change of a line's fields, and note what they were before. */
export async function notingFields(
  before: Line,
  written: Fields,
  work: Promise<Line>,
): Promise<Line> {
  const line = await work;
  const fields = formerOf<Line>(FIELDS, written, before, line);
  if (fields !== undefined) noteLine(before, line, { fields: fields as Fields });
  return line;
}

/** Run a change of a line's status, and note what it was. */
export async function notingStatus(before: Line | LineRow, work: Promise<Line>): Promise<Line> {
  const line = await work;
  noteLine(before, line, { status: before.status });
  return line;
}

function noteLine(before: Line | LineRow, line: Line, former: LineChange["former"]): void {
  note({ line, former, from: versionsOf(before), made: versionsOf(line) });
}

/**
 * Run a change of an order, and note what its date and notes were, and the dates, notes and quantities of its lines.
 * New lines and other products stay.
 */
export async function notingOrder(
  before: SalesOrder,
  written: Header & { items?: OrderLineChange[] },
  work: Promise<SalesOrder>,
): Promise<SalesOrder> {
  const order = await work;
  const header = formerOf<SalesOrder>(HEADER, written, before, order) as Header | undefined;
  const [old, now] = [linesOf(before), linesOf(order)];
  const items = (written.items ?? []).flatMap((item): OrderLineChange[] => {
    const [was, is] = [old.get(item.position), now.get(item.position)];
    const fields = was && is && formerOf<Line>(FIELDS, item, was, is);
    return fields === undefined ? [] : [{ position: item.position!, ...(fields as Fields) }];
  });
  if (header === undefined && items.length === 0) return order;
  const touched = (lines: typeof old) => items.map(({ position }) => lines.get(position)!);
  note({
    order,
    former: { ...header, ...(items.length > 0 && { items }) },
    from: versionsOf(before, ...touched(old)),
    made: versionsOf(order, ...touched(now)),
  });
  return order;
}

const linesOf = ({ items }: SalesOrder): Map<number | undefined, Line> =>
  new Map(items.map((line) => [line.position, line]));

function note(change: Change): void {
  changes = [...changes, change].slice(-MOST);
}

/** Return the user's last change; undefined if there is none. */
export const lastChange = (): Change | undefined => changes.at(-1);

/** Never take a change back. */
export function forgetChange(change: Change): void {
  changes = changes.filter((each) => each !== change);
}

/** Whether the line may go back to the status that it had. An approval and a cancellation stay. */
export const mayReturn = (change: Change): boolean =>
  !("line" in change) ||
  "fields" in change.former ||
  (heldOf(change.line) ?? change.line).actions.statuses.includes(change.former.status);

/** Note that a change was taken back: `now` has what the changes before it had made. */
export function tookBack({ from, ...change }: Change, now: Line | SalesOrder): void {
  const answered = versionsOf(now, ...("items" in now ? now.items : []));
  const renewed = ([name, version]: [string, number]): [string, number] => [
    name,
    from.get(name) === version ? (answered.get(name) ?? version) : version,
  ];
  changes = changes
    .filter(({ made }) => made !== change.made)
    .map((each) => ({ ...each, made: new Map([...each.made].map(renewed)) }));
}

forgetWithSession(() => {
  changes = [];
});

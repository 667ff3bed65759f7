/** The user's last changes of lines in the office, which Ctrl+Z takes back. See infra/docs/rules.md#taking-back-a-change. */
import { LINE_FIELDS, type Line, type LineIn, type LineRow, type LineStatus } from "@/contract";
import { heldOf } from "@/shared/http/store";
import { keysOf } from "@/shared/keysOf";
import { getSession, watchSession } from "@/shared/session/session";

type Fields = Partial<LineIn>;

/** A change of a line that the server accepted. */
export interface Change {
  /** The line as it was answered. */
  line: Line;
  /** Its version before. */
  from: number;
  /** What it had before. */
  former: { fields: Fields } | { status: LineStatus };
}

const MOST = 10;
export const FIELDS = ["quantity", ...LINE_FIELDS.days, ...keysOf(LINE_FIELDS.texts)] as const;
let changes: readonly Change[] = [];

/** Run a change of a line's fields, and note what they were before. */
export async function notingFields(
  before: Line,
  fields: Fields,
  work: Promise<Line>,
): Promise<Line> {
  const line = await work;
  const changed = FIELDS.filter((name) => name in fields && line[name] !== before[name]);
  const former = Object.fromEntries(changed.map((name) => [name, before[name]]));
  if (changed.length > 0) note({ line, from: before.version, former: { fields: former } });
  return line;
}

/** Run a change of a line's status, and note what it was. */
export async function notingStatus(before: Line | LineRow, work: Promise<Line>): Promise<Line> {
  const line = await work;
  note({ line, from: before.version, former: { status: before.status } });
  return line;
}

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
export const mayReturn = ({ line, former }: Change): boolean =>
  "fields" in former || (heldOf(line) ?? line).actions.statuses.includes(former.status);

/** Note that a change was taken back: `line` now has what the change before it had made. */
export function tookBack(change: Change, line: Line): void {
  const { from } = change;
  forgetChange(change);
  changes = changes.map((each) =>
    each.line.id === line.id && each.line.version === from ? { ...each, line } : each,
  );
}

let owner = getSession()?.token;
watchSession(() => {
  const token = getSession()?.token;
  if (token !== owner) changes = [];
  owner = token;
});

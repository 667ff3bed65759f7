/** The one store of documents: the newest version of each, by kind and id. Answers on screen are views of it. */
import type { ProcessRecord } from "@/contract";
import { external } from "@/shared/external";
import { notePass } from "@/shared/picture/pass";
import { getSession, watchSession } from "@/shared/session/session";

/** What the server names by itself: an answer or an event that holds one, at any depth, brings it here. */
export interface Document {
  kind: string;
  id: number;
  version: number;
  /** Of an order: grows with it and with each of its lines, where `version` is its own alone. */
  revision?: number;
}

interface Held {
  document: Document;
  /** The numbering of versions that it was counted in. */
  numbering: number;
}

const held = new Map<string, Held>();
const changes = external(0);
/** Rises when versions may have gone back: the next answer of each document counts, whatever its version. */
let numbering = 0;

const nameOf = ({ kind, id }: Pick<Document, "kind" | "id">) => `${kind}/${id}`;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function isDocument(value: object): value is Document {
  return "kind" in value && "id" in value && "version" in value;
}

/** The document as it is held; undefined where none of its kind and id came yet. */
export function heldOf<T extends Pick<Document, "kind" | "id">>(named: T): T | undefined {
  return held.get(nameOf(named))?.document as T | undefined;
}

/** Put each document in the place of an older version. */
export function put(documents: readonly Document[]): void {
  let changed = false;
  for (const document of documents) {
    const before = held.get(nameOf(document));
    const known = before?.numbering === numbering ? before.document : undefined;
    const next =
      known === undefined ? { ...before?.document, ...document } : merged(known, document);
    changed ||= next !== before?.document;
    held.set(nameOf(document), { document: next, numbering });
  }
  if (changed) changes.set(changes.get() + 1);
}

const ageOf = ({ version, revision }: Document) => revision ?? version;

/** The newer version wins. Fields that only the older one has stay: a row of a list is narrower than a page. */
function merged(known: Document, document: Document): Document {
  const values = known as unknown as Record<string, unknown>;
  if (Object.entries(document).every(([name, value]) => values[name] === value)) return known;
  const isOlder = ageOf(document) < ageOf(known);
  const both = isOlder ? { ...document, ...known } : { ...known, ...document };
  return withRecords(both, known, document);
}

/** A history that is being loaded may lack the last records. More than these came before it was asked for. */
const MOST_RECORDS = 50;

interface WithHistory {
  productionProcesses?: ProcessRecord[];
  /** The records that events brought since the history was loaded. */
  records?: readonly ProcessRecord[] | undefined;
}

/** A line's history is loaded whole and then grows by the records that events bring, in whichever order both come. */
function withRecords(
  both: Document,
  known: WithHistory & Document,
  document: WithHistory & Document,
) {
  if (document.records !== undefined) {
    const records = [...(known.records ?? []), ...document.records].slice(-MOST_RECORDS);
    const history = known.productionProcesses;
    if (history === undefined) return { ...both, records };
    return { ...both, productionProcesses: historyWith(history, document.records), records };
  }
  if (document.productionProcesses === undefined) return both;
  if (document.version >= known.version) return { ...both, records: undefined };
  const productionProcesses = historyWith(document.productionProcesses, known.records ?? []);
  return { ...both, productionProcesses };
}

/** Records in the place of their older state, or where the server would list them. */
export function historyWith(
  history: readonly ProcessRecord[],
  changed: readonly ProcessRecord[],
): ProcessRecord[] {
  const byId = new Map(history.map((record) => [record.id, record]));
  for (const record of changed) byId.set(record.id, record);
  return [...byId.values()].toSorted(
    (one, other) => Date.parse(other.inputDate) - Date.parse(one.inputDate) || other.id - one.id,
  );
}

/** Put every document that an answer holds. */
export function take(answer: unknown): void {
  const found: Document[] = [];
  collect(answer, found);
  if (found.length === 0) return;
  const pictured: Pictured | undefined = found.find((one: Pictured) => one.thumbnail);
  if (pictured?.thumbnail) notePass(pictured.thumbnail);
  put(found);
}

type Pictured = Document & { thumbnail?: string | null };

/** Objects with no document below them. */
const leaves = new WeakSet<object>();

/** Whether there is a document at `value` or below it; all of them are added to `found`. */
function collect(value: unknown, found: Document[]): boolean {
  if (!isObject(value)) return false;
  if (isDocument(value)) found.push(value);
  else if (leaves.has(value)) return false;
  let below = false;
  for (const part of Object.values(value)) below = collect(part, found) || below;
  if (!below) leaves.add(value);
  return below || isDocument(value);
}

/** The last view of each object: it stays the same object while nothing below it changes. */
const views = new WeakMap<object, object>();

/** An answer with the newest version of every document in it. */
export function view<T>(answer: T): T {
  if (!isObject(answer)) return answer;
  const whole = isDocument(answer) ? (heldOf(answer) ?? answer) : answer;
  if (leaves.has(whole)) return whole as T;
  const before = views.get(whole) ?? whole;
  const parts: unknown[] = Object.values(whole);
  if (!parts.some((part) => isObject(part) && (isDocument(part) || !leaves.has(part)))) {
    leaves.add(whole);
    return whole as T;
  }
  const now = parts.map((part) => view(part));
  const shown: unknown[] = Object.values(before);
  if (now.every((part, index) => part === shown[index])) return before as T;
  const names = Object.keys(whole);
  const next = Array.isArray(whole)
    ? now
    : Object.fromEntries(now.map((part, index) => [names[index], part]));
  views.set(whole, next);
  return next as T;
}

/** As a hook. */
export function useView<T>(answer: T): T {
  return changes.use(() => view(answer));
}

/** Versions may have gone back, or other documents may be read: what is loaded from here on counts. */
export function renumber(): void {
  numbering += 1;
}

/** Forget every document. */
export function forgetDocuments(): void {
  held.clear();
  changes.set(changes.get() + 1);
}

// Another person sees nothing of what the one before could read.
let owner = getSession()?.token;
watchSession(() => {
  const token = getSession()?.token;
  if (token !== owner) forgetDocuments();
  owner = token;
});

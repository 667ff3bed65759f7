/**
 * The store of all documents: the newest version of each, by kind and id. The answers on screen are
 * views of it.
 */
import type { ProcessRecord } from "@/contract";
import { external } from "@/shared/external";
import { useNamed } from "./names";
import { notePass } from "./picturePass";
import { forgetWithSession } from "@/shared/session/session";

/** A record with kind, id and version. Every answer and event that contains one, at any depth, puts it here. */
export interface Document {
  kind: string;
  id: number;
  version: number;
  /** Orders only: grows with each change of the order or of its lines; `version` counts the order's own changes. */
  revision?: number;
}

/** What tells a document from all others. */
export type Named = Pick<Document, "kind" | "id">;

interface Held {
  document: Document;
  /** The value of `numbering` when the document was put. */
  numbering: number;
}

const held = new Map<string, Held>();
const changes = external(0);
/**
 * Increases when versions may have gone back. Then the next answer with a document replaces it,
 * whatever its version.
 */
let numbering = 0;

/** The name of a document among all: its kind and id. */
export const nameOf = ({ kind, id }: Named) => `${kind}/${id}`;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function isDocument(value: object): value is Document {
  return "kind" in value && "id" in value && "version" in value;
}

/** The stored document of this kind and id; undefined if there is none. */
export function heldOf<T extends Named>(named: T): T | undefined {
  return held.get(nameOf(named))?.document as T | undefined;
}

let missingOf: (document: Document) => object = () => ({});

/** Set what to add to the documents that come without `actions`: those of lists and events. */
export function completeWith(missing: typeof missingOf): void {
  missingOf = missing;
}

const completed = (document: Document): Document =>
  "actions" in document ? document : { ...document, ...missingOf(document) };

/** Store each document unless a newer version is stored. */
export function put(documents: readonly Document[]): void {
  let changed = false;
  for (const document of documents.map(completed)) {
    const before = held.get(nameOf(document));
    const known = before?.numbering === numbering ? before.document : undefined;
    const next =
      known === undefined ? { ...before?.document, ...document } : merged(known, document);
    changed ||= next !== before?.document;
    held.set(nameOf(document), { document: next, numbering });
  }
  if (changed) changes.set(changes.get() + 1);
}

/** What a write under way will change of a document with this age. */
interface Foreseen {
  age: number;
  values: object;
}

const foreseen = new Map<string, readonly Foreseen[]>();

/**
 * Show `values` in place of those of `document` until `end` is called, or until a newer version is stored. `showOver`:
 * show them in place of those of a newer version too.
 */
export function foresee<T extends Document>(document: T, values: Partial<T>) {
  const name = nameOf(document);
  let mine: Foreseen | undefined;
  const show = (next: Foreseen | undefined) => {
    const others = (foreseen.get(name) ?? []).filter((each) => each !== mine);
    mine = next;
    foreseen.set(name, next === undefined ? others : [...others, next]);
    if (foreseen.get(name)?.length === 0) foreseen.delete(name);
    changes.set(changes.get() + 1);
  };
  show({ age: ageOf(document), values });
  return {
    showOver: (newer: Document) => show({ age: ageOf(newer), values }),
    end: () => show(undefined),
  };
}

/** Whether what is shown is not all answered: a write is under way. */
export const isForeseen = (): boolean => foreseen.size > 0;

/** The last merge of each document with what is foreseen of it. It stays the same object while neither changes. */
const merges = new WeakMap<Document, { all: readonly Foreseen[]; shown: Document }>();

function withForeseen(document: Document): Document {
  const all = foreseen.get(nameOf(document));
  if (all === undefined) return document;
  const before = merges.get(document);
  if (before?.all === all) return before.shown;
  const shown = all
    .filter(({ age }) => age >= ageOf(document))
    .reduce<Document>((each, { values }) => ({ ...each, ...values }), document);
  merges.set(document, { all, shown });
  return shown;
}

const ageOf = ({ version, revision }: Document) => revision ?? version;

/** Merge two versions. The newer one wins; fields that only the older one has stay, as list rows have fewer fields. */
function merged(known: Document, document: Document): Document {
  const values: Record<string, unknown> = { ...known };
  if (Object.entries(document).every(([name, value]) => values[name] === value)) return known;
  const isOlder = ageOf(document) < ageOf(known);
  const both = isOlder ? { ...document, ...known } : { ...known, ...document };
  return withRecords(both, known, document);
}

/** How many records from events to keep, for a history that is being loaded and may lack them. */
const MOST_RECORDS = 50;

interface WithHistory {
  productionProcesses?: ProcessRecord[];
  /** The records that came by events since the history was loaded. */
  records?: readonly ProcessRecord[] | undefined;
}

/** Merge the records of events into the loaded history of a line, in either order of arrival. */
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

/** Replace or insert the changed records, in the server's order. */
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

/** Store every document in an answer, at any depth. */
export function take(answer: unknown): void {
  const found: Document[] = [];
  collect(answer, found);
  if (found.length === 0) return;
  const pictured: Pictured | undefined = found.find((one: Pictured) =>
    one.thumbnail?.includes("?"),
  );
  if (pictured?.thumbnail) notePass(pictured.thumbnail);
  put(found);
}

type Pictured = Document & { thumbnail?: string | null };

/** Objects that contain no document. */
const leaves = new WeakSet<object>();

/** Add the documents at or below `value` to `found`; return whether there are any. */
function collect(value: unknown, found: Document[]): boolean {
  if (!isObject(value)) return false;
  if (isDocument(value)) found.push(value);
  else if (leaves.has(value)) return false;
  let below = false;
  for (const part of Object.values(value)) below = collect(part, found) || below;
  if (!below) leaves.add(value);
  return below || isDocument(value);
}

/** The last view of each object. It stays the same object while nothing below it changes. */
const views = new WeakMap<object, object>();

/** Return an answer with the newest version of every document in it, and with what writes under way will change. */
export function view<T>(answer: T): T {
  if (!isObject(answer)) return answer;
  const whole = isDocument(answer) ? withForeseen(heldOf(answer) ?? answer) : answer;
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

/** `view` as a hook, with the names in the user's language: renders again when the view changes. */
export function useView<T>(answer: T): T {
  return useNamed(changes.use(() => view(answer)));
}

/**
 * Accept all documents that are loaded from now on, because versions may have gone back, or the
 * user may read other documents.
 */
export function renumber(): void {
  numbering += 1;
}

export function forgetDocuments(): void {
  held.clear();
  foreseen.clear();
  changes.set(changes.get() + 1);
}

// Do not show a user the documents that the previous user could read.
forgetWithSession(forgetDocuments);

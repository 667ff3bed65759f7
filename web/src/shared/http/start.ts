/**
 * The first call of a page. What it answers is not asked for one by one while the page starts. See
 * infra/docs/rules.md#live-events.
 */
import type { Option, Schemas } from "@/contract";
import { api, call, inWords, QUIET } from "./client";
import { takeEarly } from "./early";
import { BELL, RESOURCES, UNREAD, WORKSHOP, type CatalogName } from "./keys";

export type PageStart = Schemas["PageStartOut"];
type Query = Record<string, unknown>;

let current: { token: string; answer: Promise<PageStart>; given: Set<string> } | null = null;

/** Ask for the start of a session, once until `endStart` or a failure. Throws ApiError. */
export function startOf(token: string): Promise<PageStart> {
  if (current?.token === token) return current.answer;
  const early = takeEarly(token);
  const headers = { ...QUIET, Authorization: `Bearer ${token}` };
  const answer = call(
    api.POST("/api/start", {
      headers,
      ...(early === undefined ? {} : { fetch: async () => inWords(await early) }),
    }),
  );
  const asked = { token, answer, given: new Set<string>() };
  current = asked;
  answer.catch(() => {
    if (current === asked) current = null;
  });
  return answer;
}

/** From now on each answer is asked for by its own call: what the start answered may be stale. */
export function endStart(): void {
  current = null;
}

/** What the start answers to a GET, the first time that it is asked; undefined if it answers nothing to it. */
export async function givenAtStart(path: string, query: Query = {}): Promise<unknown> {
  const name = `${path} ${JSON.stringify(query)}`;
  const find = current?.given.has(name) === false ? FINDS[path] : undefined;
  if (current === null || find === undefined) return undefined;
  current.given.add(name);
  // A failure is reported by those who need the start itself.
  const start = await current.answer.catch(() => undefined);
  return start && find(start, query);
}

/** The rows that the server answers at most. */
const MOST_OPTIONS = 200;

/** The choices of a select box that nobody has typed in yet. */
function optionsIn(catalog: CatalogName) {
  return ({ options }: PageStart, { fields, limit, status, search }: Query) => {
    const rows: readonly Option[] | undefined = options[catalog];
    const wanted = Number(limit ?? Infinity);
    const isKnown = wanted <= MOST_OPTIONS || (rows?.length ?? MOST_OPTIONS) < MOST_OPTIONS;
    const isOffered = fields === "options" && status === true && search === undefined;
    return isOffered && isKnown ? rows?.slice(0, wanted) : undefined;
  };
}

const PROCESSES = RESOURCES["production-processes"];
const OFFERED = ["alloys", "companies", "components", "customers", "items", "materials"] as const;

const FINDS: Record<string, (start: PageStart, query: Query) => unknown> = {
  [UNREAD]: ({ unread }) => unread?.notifications,
  [BELL]: ({ unread }) => unread?.bell,
  [RESOURCES.parts]: ({ parts }) => parts,
  [WORKSHOP]: ({ workshop }) => workshop ?? undefined,
  ...Object.fromEntries(OFFERED.map((catalog) => [RESOURCES[catalog], optionsIn(catalog)])),
  [PROCESSES]: (start, query) => {
    if (query["ordering"] !== "place") return undefined;
    const isAll = query["fields"] === "options" && Object.keys(query).length === 2;
    return isAll ? start.processes : optionsIn("production-processes")(start, query);
  },
};

/** SWR's cache keys: a path and its parameters, both typed by the contract. */
import { CATALOGS, type paths } from "@/contract";
import { keysOf } from "@/shared/keysOf";

type Answered<A> = { get: { responses: { 200: { content: { "application/json": A } } } } };
type Parameters<P extends keyof paths> = paths[P] extends { get: { parameters: infer A } }
  ? A
  : never;
type Part<A, N extends string> = A extends { [name in N]?: infer V }
  ? [V] extends [undefined]
    ? Record<string, never>
    : NonNullable<V>
  : never;

/** A path that answers a GET with JSON. */
export type Path = {
  [P in keyof paths]: paths[P] extends Answered<unknown> ? P : never;
}[keyof paths];
export type Answer<P extends Path> = paths[P] extends Answered<infer A> ? A : never;
/** The parameters in the path itself. */
export type Place<P extends Path> = Part<Parameters<P>, "path">;
type Query<P extends Path> = Part<Parameters<P>, "query">;

export interface Asked<P extends Path> {
  path?: Place<P>;
  /** Filters may be text, as they come from the page's address; the server validates them. */
  query?: { [N in keyof Query<P>]?: Query<P>[N] | string };
}

/** `list` distinguishes a paged list from a whole answer of the same path. */
export type Key = readonly [
  path: string,
  asked: { path?: unknown; query?: unknown },
  list?: "list",
];

export function keyOf<P extends Path>(path: P, asked: Asked<P> = {}): Key {
  return [path, asked];
}

/** The key of a list that is loaded page by page. */
export function listKeyOf<P extends Path>(path: P, asked: Asked<P> = {}): Key {
  return [path, asked, "list"];
}

/** Whether a key of SWR's cache was made by `keyOf` or `listKeyOf`. */
export function isKey(key: unknown): key is Key {
  return Array.isArray(key) && typeof key[0] === "string" && typeof key[1] === "object";
}

export type Covers = (key: Key) => boolean;

/** Cover every key of a path with these parameters: `at(LINE, { order_id: 4 })` covers the lines of order 4. */
export function at<P extends Path>(path: P, place: Partial<Place<P>> = {}): Covers {
  const wanted = Object.entries(place);
  return ([name, asked]) => {
    if (name !== path) return false;
    const given = new Map(Object.entries(asked.path ?? {}));
    return wanted.every(([part, value]) => given.get(part) === value);
  };
}

/** Cover every key of these paths and of the paths below them. */
export function under(...bases: string[]): Covers {
  return ([name]) => bases.some((base) => name === base || name.startsWith(`${base}/`));
}

export const ORDERS = "/api/sales-order";
export const ORDER = "/api/sales-order/{order_id}";
export const LINES = "/api/sales-order/positions";
export const LINE = "/api/sales-order/{order_id}/position/{position}";
export const HISTORY = "/api/sales-order/{order_id}/position/{position}/history";
/** What the staff wrote about a line. */
export const MESSAGES = "/api/sales-order/{order_id}/position/{position}/messages";
/** The reasons for a line's forecast. */
export const FORECAST = "/api/sales-order/{order_id}/position/{position}/forecast";
/** The effect if a line went before all others. */
export const FIRST = "/api/sales-order/{order_id}/position/{position}/forecast/first";
/** The days that are offered for new lines of some products. */
export const OFFERED = "/api/forecasts/offered";
export const PROMISES = "/api/reports/promises";
export const BILLS = "/api/deliveries";
export const BILL = "/api/deliveries/{delivery_id}";
/** What a bill certifies about the origin of its goods. */
export const ORIGIN = "/api/deliveries/{delivery_id}/origin";
/** The electronic invoice of a bill, and what it lacks. */
export const CFDI = "/pdf/cfdi/{delivery_id}";
/** What is owed for a bill: its payments and credit notes. */
export const SETTLEMENTS = "/api/deliveries/{delivery_id}/settlements";
export const BILLABLE = "/api/deliveries/billable";
/** Whether the customer and the company have the addresses that a bill needs. */
export const ADDRESSES = "/api/deliveries/addresses";
/** Cover the answers that a changed bill makes stale. ADDRESSES tells of customers and companies, not of bills. */
export const ofBills: Covers = (key) => under(BILLS)(key) && key[0] !== ADDRESSES;
/** Process records that can be paid. */
export const PAYABLES = "/api/sales-order/positions/production-processes";
export const OWED = `${PAYABLES}/people` as const;
export const EARNINGS = `${PAYABLES}/earnings` as const;
export const PAYMENTS = `${PAYABLES}/payments` as const;
export const PAYMENT = `${PAYMENTS}/{payment_id}` as const;
export const BOARD = "/api/shop-floor";
export const STATION = "/api/station/{process_id}";
export const BOARD_DAY = "/api/shop-floor/day";
export const OWN_PROCESSES = "/api/shop-floor/own";
export const BATCHES = "/api/batches";
export const BATCH = "/api/batches/{batch_id}";
/** Lines that may be put on a batch. */
export const BATCH_LINES = "/api/batches/{batch_id}/lines";
/** The batches that are open or inside, as boards and stations show them. */
export const BATCH_CARDS = "/api/batches/cards";
export const TODAY = "/api/reports/today";
export const REPORT = "/api/reports";
/** The report if customer, status and both days are given. */
export const REPORT_OF_CUSTOMER =
  "/api/reports/customer/{customer_id}/sales-orders/status/{status}/start-date/{start_date}/end-date/{end_date}";
/** Accounts of metal, their ledger and papers. */
export const METAL = "/api/metal";
export const METAL_ACCOUNTS = `${METAL}/accounts` as const;
/** The user's own metal. */
export const METAL_MINE = `${METAL}/mine` as const;
export const UNREAD = "/api/notifications/unread";
/** The user's own notices, and the kinds of notifications that their bell leaves out. */
export const BELL = "/api/notices/bell";
/** The user's preferences: which notices they want, on which channels, and at which hours not. */
export const PREFERENCES = "/api/notices/preferences";
export const DEVICES = "/api/notices/devices";
/** What is still to be set up in a new installation. */
export const START = "/api/start";
/** The page of a customer's account. */
export const CUSTOMER_PAGE = "/api/customer-page";
/** The workshop as its customers know it. */
export const WORKSHOP = "/api/customer-page/workshop";
/** Links to customers' pages, and what customers answered there. */
export const CUSTOMER_LINKS = "/api/customer-links";
export const CUSTOMER_ANSWERS = "/api/customer-links/answers";
/** What the staff asked customers to approve. */
export const APPROVAL_REQUESTS = "/api/customer-links/requests";

export const ORDERS_AND_LINES: Covers = ([path]) =>
  [ORDERS, ORDER, LINES, LINE, HISTORY].some((one) => one === path);

export type CatalogName = keyof typeof CATALOGS;
type Flag = (typeof CATALOGS)[CatalogName]["flag"];
/** The catalogs with this flag. */
type Flagged<F extends Flag> = {
  [N in CatalogName]: (typeof CATALOGS)[N]["flag"] extends F ? N : never;
}[CatalogName];

export const CATALOG_NAMES = keysOf(CATALOGS);

/** Catalogs of form choices, named in both languages. */
export type ShortListName = Flagged<"active">;
export const SHORT_LISTS = CATALOG_NAMES.filter(isShortList);

export function isShortList(name: CatalogName): name is ShortListName {
  return CATALOGS[name].flag === "active";
}

const CATALOG_LISTS = Object.fromEntries(CATALOG_NAMES.map((name) => [name, `/api/${name}`])) as {
  [N in CatalogName]: `/api/${N}`;
};

/** Paths of the lists that administrators edit, by their name in `catalog.changed`. */
export const RESOURCES = {
  ...CATALOG_LISTS,
  certificates: "/api/deliveries/certificates",
  "customer-links": CUSTOMER_LINKS,
  displays: "/api/displays",
  parts: "/api/parts",
  "process-item-prices": "/api/process-item-prices",
  roles: "/identity/roles",
  "service-accounts": "/api/service-accounts",
  users: "/identity/users",
  webhooks: "/api/webhooks",
} as const;
export type Resource = keyof typeof RESOURCES;

/**
 * Other answers that a change of a resource makes stale: roles count their users, webhooks depend
 * on their service account, ADDRESSES and ORIGIN on the customer and the company, and a pre-bill on
 * its products.
 */
const SHOWN_IN: Partial<Record<Resource, readonly string[]>> = {
  users: [RESOURCES.roles],
  "service-accounts": [RESOURCES.webhooks],
  customers: [ADDRESSES, ORIGIN, CFDI],
  companies: [ADDRESSES, ORIGIN, CFDI],
  items: [BILL, CFDI],
  "export-tax-items": [CFDI],
  certificates: [ORIGIN],
};

/** Cover every answer that shows a record of this resource. */
export function showing(resource: Resource): Covers {
  return under(RESOURCES[resource], ...(SHOWN_IN[resource] ?? []));
}

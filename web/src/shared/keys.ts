/** Every SWR key, so that the table of stale keys can name them without knowing a feature. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The lists of choices that forms offer, named in both languages. */
export const SHORT_LISTS = [
  "customer-types",
  "tax-sections",
  "release-reasons",
  "scrap-reasons",
] as const;
export type ShortListName = (typeof SHORT_LISTS)[number];

/** The records an administrator keeps, under the names that `catalog.changed` gives them. */
export type Resource =
  | ShortListName
  | "companies"
  | "components"
  | "customers"
  | "export-tax-items"
  | "items"
  | "materials"
  | "production-processes"
  | "roles"
  | "users";

export const keys = {
  /** A list of records, whole or as options. */
  list: (resource: Resource, query: Query = {}) => [resource, "list", query] as const,
  /** One record. */
  record: (resource: Resource, id: number) => [resource, "record", id] as const,
  /** The piece prices that a process has had. */
  prices: (processId: number) => ["production-processes", "prices", processId] as const,
  /** A short list whole, as forms offer it. */
  choices: (list: ShortListName) => [list, "choices"] as const,
  permissions: () => ["permissions"] as const,
  /** An upload that is being imported, and its rows. */
  importing: (id: number) => ["imports", "one", id] as const,
  importRows: (id: number, query: Query) => ["imports", "rows", id, query] as const,
  audit: (query: Query) => ["audit", "list", query] as const,
  orders: (query: Query) => ["sales-order", "list", query] as const,
  order: (orderId: number) => ["sales-order", "one", orderId] as const,
  lines: (query: Query) => ["sales-order", "lines", query] as const,
  line: (orderId: number, position: number) => ["sales-order", "line", orderId, position] as const,
  history: (orderId: number, position: number) =>
    ["sales-order", "history", orderId, position] as const,
  sheet: (orderId: number, position: number) => ["work-sheets", orderId, position] as const,
  /** How far a print has come. */
  print: (runId: string) => ["print", runId] as const,
  deliveries: (query: Query) => ["deliveries", "list", query] as const,
  delivery: (id: number) => ["deliveries", "one", id] as const,
  deliveryTotals: (query: Query) => ["deliveries", "totals", query] as const,
  /** Finished lines with pieces left to bill. */
  billable: (query: Query) => ["deliveries", "billable", query] as const,
  shopFloor: () => ["shop-floor"] as const,
  ownProcesses: () => ["own-processes"] as const,
  /** What left a process and can be paid. */
  payables: (query: Query) => ["payables", "list", query] as const,
  payments: (query: Query) => ["payments", "list", query] as const,
  payment: (id: number) => ["payments", "one", id] as const,
  paymentTotals: (query: Query) => ["payments", "totals", query] as const,
  /** The person's own. */
  earnings: () => ["earnings"] as const,
  reportLines: (query: Query) => ["reports", "lines", query] as const,
  reportTotals: (query: Query) => ["reports", "totals", query] as const,
  flow: (query: Query) => ["reports", "flow", query] as const,
  /** A part of the dashboard, and what it is of. */
  dashboard: (
    part: "statuses" | "details" | "expired" | "count" | "throughput",
    query: Query | object,
  ) => ["dashboard", part, query] as const,
  notifications: () => ["notifications", "unread"] as const,
};

export type Key = ReturnType<(typeof keys)[keyof typeof keys]>;

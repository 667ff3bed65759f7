/** Every SWR key, so that the table of stale keys can name them without knowing a feature. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export const keys = {
  processes: (query: Query = {}) => ["production-processes", "list", query] as const,
  customers: (query: Query = {}) => ["customers", "list", query] as const,
  items: (query: Query = {}) => ["items", "list", query] as const,
  orders: (query: Query) => ["sales-order", "list", query] as const,
  order: (orderId: number) => ["sales-order", "one", orderId] as const,
  lines: (query: Query) => ["sales-order", "lines", query] as const,
  line: (orderId: number, position: number) => ["sales-order", "line", orderId, position] as const,
  history: (orderId: number, position: number) =>
    ["sales-order", "history", orderId, position] as const,
  shopFloor: () => ["shop-floor"] as const,
  ownProcesses: () => ["own-processes"] as const,
  notifications: () => ["notifications", "unread"] as const,
};

export type Key = ReturnType<(typeof keys)[keyof typeof keys]>;

/** The one table: what each kind of event makes of the data already loaded. A missing row does not compile. */
import type {
  Line,
  LineEvent,
  LineRow,
  LiveEvent,
  LiveEventOf,
  LiveEventType,
  Notification,
  OrderSummary,
  ProcessRecord,
  SalesOrder,
  ShopFloor,
} from "@/contract";
import type { List } from "@/shared/http/list";
import type { Key } from "@/shared/keys";
import { getSession } from "@/shared/session/session";
import {
  patchBoard,
  patchHistory,
  patchLine,
  patchLineRows,
  patchOrder,
  patchOrderRows,
} from "./documents";

/** How soon stale data is loaded again: at once, every now and then, as a sum of many parts, or as a mere check. */
export type Pace = "soon" | "calm" | "slow" | "later";

export interface Effect {
  covers: (key: Key) => boolean;
  /** Only where the data on screen has to do with the change; without it, always. */
  concerns?: (data: never) => boolean;
  /** Draws the change at once. */
  patch?: (data: never) => unknown;
  /** Loads the data again, where the event cannot tell everything. */
  reload?: Pace;
}

type StaleTable = { [T in LiveEventType]: (event: LiveEventOf<T>) => Effect[] };

const stale = (covers: Effect["covers"], reload: Pace = "soon"): Effect => ({ covers, reload });

function about(resource: string, kind?: Key[1]): Effect["covers"] {
  return (key) => key[0] === resource && (kind === undefined || key[1] === kind);
}

const isOrder = (orderId: number) => (key: Key) =>
  key[0] === "sales-order" && key[1] === "one" && key[2] === orderId;
const isLine =
  (kind: "line" | "history") =>
  ({ data }: LineEvent) =>
  (key: Key) =>
    key[1] === kind && key[2] === data.salesOrderId && key[3] === data.position;

function lineEffects(event: LineEvent): Effect[] {
  const { line } = event.data;
  const order = line.salesOrderId;
  // The event tells all of the line but its pictures, and what the person himself may undo.
  const untold = event.type === "line.changed" || isMine(event);
  const whole: Pick<Effect, "reload"> = untold ? { reload: "soon" } : {};
  const isOlder = (held: Line) => held.version < line.version;
  return [
    {
      covers: about("shop-floor"),
      patch: (old: ShopFloor) => patchBoard(old, event),
      reload: "later",
    },
    {
      covers: about("sales-order", "lines"),
      patch: (old: List<LineRow>) => patchLineRows(old, line),
      reload: "calm",
    },
    {
      covers: about("sales-order", "list"),
      patch: (old: List<OrderSummary>) => patchOrderRows(old, event),
      reload: "calm",
    },
    {
      covers: isLine("line")(event),
      concerns: isOlder,
      patch: (old: Line) => patchLine(old, event),
      ...whole,
    },
    {
      covers: isLine("history")(event),
      patch: (old: ProcessRecord[]) => patchHistory(old, event.data.records),
    },
    {
      covers: isOrder(order),
      concerns: ({ items }: SalesOrder) =>
        items.some((item) => item.position === line.position && isOlder(item)),
      patch: (old: SalesOrder) => patchOrder(old, event),
      ...whole,
    },
    stale(about("own-processes"), "calm"),
    stale(about("payables"), "calm"),
    // A line that is done can be billed, one that is open again cannot.
    stale(about("deliveries", "billable"), "calm"),
    ...(mayEarnMe(event) ? [stale(about("earnings"))] : []),
    aboutToEnd(order),
    ...reportEffects(),
  ];
}

function reportEffects(): Effect[] {
  return [stale(about("dashboard"), "slow"), stale(about("reports"), "calm")];
}

/** By my own hand, or by somebody whom it does not name. */
function isMine({ by }: LineEvent): boolean {
  return by === null || by.id === getSession()?.user.id;
}

/** What leaves by my own hand earns me something; who releases it may be anybody, and so may one who is not named. */
function mayEarnMe(event: LineEvent): boolean {
  return event.type === "line.released" || (event.type === "line.moved" && isMine(event));
}

/** A change of an order can be the end of what a notification is about; only the server can tell. */
function aboutToEnd(order: number): Effect {
  return {
    covers: about("notifications"),
    concerns: (unread: Notification[]) =>
      unread.some(({ message }) => message.salesOrderId === order),
    reload: "soon",
  };
}

function orderEffects(event: LiveEventOf<`order.${string}` & LiveEventType>): Effect[] {
  const { id } = event.data;
  return [
    stale(about("sales-order", "list"), "calm"),
    stale(about("sales-order", "lines"), "calm"),
    stale(about("shop-floor")),
    aboutToEnd(id),
    stale((key) => isOrder(id)(key) || (key[1] === "line" && key[2] === id)),
    ...reportEffects(),
  ];
}

export const STALE: StaleTable = {
  "line.moved": lineEffects,
  "line.released": lineEffects,
  "line.status-changed": lineEffects,
  "line.changed": lineEffects,
  "order.created": orderEffects,
  "order.changed": orderEffects,
  "order.deleted": orderEffects,
  // What one bill takes, another that is open on a screen no longer has left. Its lines have events of their own.
  "delivery.changed": () => [stale(about("deliveries")), ...reportEffects()],
  // What is paid is not offered for release.
  "payment.changed": ({ data }) => [
    stale(about("payments")),
    stale(about("payables")),
    stale(about("sales-order", "lines"), "calm"),
    stale((key) => key[0] === "sales-order" && data.salesOrderIds.some((id) => key[2] === id)),
  ],
  "earnings.changed": () => [stale(about("earnings"))],
  "notification.created": ({ data }) => [
    {
      covers: about("notifications"),
      patch: (unread: Notification[]) =>
        unread.some(({ id }) => id === data.id) ? unread : [...unread, data as Notification],
    },
  ],
  "notification.read": ({ data }) => [
    {
      covers: about("notifications"),
      patch: (unread: Notification[]) => unread.filter(({ id }) => id !== data.id),
    },
  ],
  "catalog.changed": ({ data }) => [
    stale(about(data.catalog)),
    ...(data.catalog === "production-processes"
      ? [stale(about("shop-floor")), stale(about("own-processes"))]
      : []),
    // Products show the names of what they are made of.
    ...(["components", "materials", "export-tax-items"].includes(data.catalog)
      ? [stale(about("items"), "calm")]
      : []),
    // A user given a role or freed of one changes how many have it.
    ...(data.catalog === "users" ? [stale(about("roles"))] : []),
    stale(about("audit"), "calm"),
  ],
  // These two concern the session, not the data: LiveProvider answers them.
  "session.ended": () => [],
  "permissions.changed": () => [],
};

/** What an event changes, by the table. */
export function effectsOf(event: LiveEvent): Effect[] {
  const effects = STALE[event.type] as (event: LiveEvent) => Effect[];
  return effects(event);
}

/** The one table: what each kind of event does to the answers on screen. A missing row does not compile. */
import type { State } from "swr";
import type {
  Delivery,
  Line,
  LineEvent,
  LiveEvent,
  LiveEventOf,
  LiveEventType,
  Notification,
  OrderEvent,
  Payment,
  SalesOrder,
} from "@/contract";
import type { List, RowOf } from "@/shared/http/data";
import {
  at,
  BILL,
  BILLABLE,
  BILLS,
  BOARD,
  EARNINGS,
  HISTORY,
  LINE,
  LINES,
  ORDER,
  ORDERS,
  OWN_PROCESSES,
  OWED,
  PAYABLES,
  PAYMENT,
  PAYMENTS,
  REPORT,
  REPORT_OF_CUSTOMER,
  RESOURCES,
  showing,
  STATION,
  TODAY,
  under,
  UNREAD,
  type Answer,
  type Covers,
  type Path,
  type Place,
} from "@/shared/http/keys";
import { getSession } from "@/shared/session/session";
import { tellsProgress } from "./derived";
import {
  newer,
  patchBoard,
  patchHistory,
  patchLine,
  patchLineRows,
  patchOrder,
  patchOrderRows,
  patchRows,
  patchSummaries,
  patchWholeOrder,
} from "./documents";
import { billActions, isNotified, paymentActions } from "./mask";
import { concernsStation, patchRecent, patchStation } from "./station";
import { patchToday } from "./today";

/** How soon what is stale is loaded again: at once, every now and then, as a sum of many parts, or as a mere check. */
export type Pace = "soon" | "calm" | "slow" | "later";

interface Drawing<Kept> {
  /** Only where what is kept has to do with the change; without it, always. */
  concerns?: (kept: Kept) => boolean;
  /** Draws the change at once. */
  draw?: (kept: Kept) => Kept;
  /** Loads it again, where the event does not carry everything. */
  reload?: Pace;
}

/** SWR keeps answers of every path side by side; what one is, its key alone says. */
export interface Application extends Drawing<NonNullable<State>["data"]> {
  covers: Covers;
}

type Table = { [T in LiveEventType]: (event: LiveEventOf<T>) => Application[] };

/** The answers of a path, or of a place in it. */
function answer<P extends Path>(
  path: P,
  place: Partial<Place<P>>,
  drawing: Drawing<Answer<P>>,
): Application {
  const covers = at(path, place);
  return { ...drawing, covers: (key) => key[2] === undefined && covers(key) };
}

/** The one answer of a path without parameters. */
const sole = <P extends Path>(path: P, drawing: Drawing<Answer<P>>) => answer(path, {}, drawing);

/** The lists of a path, whatever they are narrowed to. */
function list<P extends Path>(path: P, drawing: Drawing<List<RowOf<Answer<P>>>>): Application {
  const covers = at(path);
  return { ...drawing, covers: (key) => key[2] === "list" && covers(key) };
}

const stale = (covers: Covers, reload: Pace = "soon"): Application => ({ covers, reload });
const calmly = (...paths: Path[]) => paths.map((path) => stale(at(path), "calm"));

function lineApplications(event: LineEvent): Application[] {
  const { line, records } = event.data;
  const order = { order_id: line.salesOrderId };
  const place = { ...order, position: line.position };
  // The event carries all of the line but its pictures, and what the person himself may undo.
  const isIncomplete = event.type === "line.changed" || isMine(event);
  const whole: { reload?: Pace } = isIncomplete ? { reload: "soon" } : {};
  const isOlder = (kept: Line) => kept.version < line.version;
  const holdsOlder = ({ items }: SalesOrder) =>
    items.some((item) => item.position === line.position && isOlder(item));
  return [
    sole(BOARD, { draw: (kept) => patchBoard(kept, event), reload: boardPace(event) }),
    sole(STATION, {
      concerns: (kept) => concernsStation(kept, line),
      draw: (kept) => patchRecent(patchStation(kept, line), event),
      // What may be undone, and the order of what waits, are the server's.
      reload: "calm",
    }),
    list(LINES, { draw: (kept) => patchLineRows(kept, line), reload: "calm" }),
    list(ORDERS, { draw: (kept) => patchOrderRows(kept, event), reload: "calm" }),
    answer(LINE, place, { concerns: isOlder, draw: (kept) => patchLine(kept, event), ...whole }),
    answer(HISTORY, place, { draw: (kept) => patchHistory(kept, records) }),
    answer(ORDER, order, {
      concerns: holdsOlder,
      draw: (kept) => patchOrder(kept, event),
      ...whole,
    }),
    answer(ORDER, order, {
      concerns: (kept) => holdsOlder(kept) && !tellsProgress(kept, event),
      reload: "calm",
    }),
    // A movement makes nothing late, due or new; what left after a day is drawn where it is shown.
    sole(TODAY, { draw: (kept) => patchToday(kept, [line]) }),
    stale(at(TODAY), event.type === "line.moved" ? "slow" : "calm"),
    // A line that is done can be billed, one that is open again cannot.
    ...calmly(OWN_PROCESSES, PAYABLES, OWED, BILLABLE),
    ...(mayEarnMe(event) ? [stale(at(EARNINGS))] : []),
    aboutToEnd(line.salesOrderId),
    ...reportApplications(),
  ];
}

/** A line that was approved comes onto the board, which does not know its own picture yet. */
function boardPace({ type, data: { line } }: LineEvent): Pace {
  return type === "line.status-changed" && line.ownImage ? "calm" : "later";
}

function reportApplications(): Application[] {
  return [
    stale(under("/api/reports/sales-orders", "/api/reports/throughput"), "slow"),
    ...calmly(REPORT, REPORT_OF_CUSTOMER, "/api/reports/totals"),
    ...calmly("/api/reports/flow", "/api/reports/releases"),
  ];
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
function aboutToEnd(order: number): Application {
  return sole(UNREAD, {
    concerns: (unread) => unread.some(({ message }) => message.salesOrderId === order),
    reload: "soon",
  });
}

function orderApplications(event: OrderEvent): Application[] {
  const { id, lines } = event.data;
  const changes = (lines ?? []).map((line) => ({ id: event.id, data: { line, records: [] } }));
  return [
    list(ORDERS, { draw: (kept) => patchSummaries(kept, event) }),
    list(LINES, { draw: (kept) => (lines ?? []).reduce(patchLineRows, kept) }),
    sole(BOARD, { draw: (kept) => changes.reduce(patchBoard, kept) }),
    sole(STATION, {
      concerns: (kept) => (lines ?? []).some((line) => concernsStation(kept, line)),
      draw: (kept) => (lines ?? []).reduce(patchStation, kept),
    }),
    sole(TODAY, { draw: (kept) => patchToday(kept, lines ?? []) }),
    answer(ORDER, { order_id: id }, { draw: (kept) => patchWholeOrder(kept, event) }),
    answer(LINE, { order_id: id }, { draw: (kept) => changes.reduce(patchLine, kept) }),
    ...staleOrder(id),
  ];
}

/**
 * An event has no pictures of new lines, does not name lines that are gone, and leaves out lines that are too many. Where
 * the board's lines come or go, `board.changed` says so: lines that are billed are not on it.
 */
function staleOrder(id: number): Application[] {
  return [
    ...calmly(ORDERS, LINES, STATION, TODAY),
    aboutToEnd(id),
    stale(at(ORDER, { order_id: id })),
    stale(at(LINE, { order_id: id })),
    ...reportApplications(),
  ];
}

/** What one bill takes, another that is open on a screen no longer has left. Its lines have events of their own. */
function billApplications({ data: { id, bill } }: LiveEventOf<"delivery.changed">): Application[] {
  const drawn: Application[] = [];
  if (bill !== null) {
    const draw = (kept: Delivery) => newer(kept, bill, billActions(bill.offers));
    drawn.push(
      answer(BILL, { delivery_id: id }, { draw }),
      list("/api/deliveries/search", { draw: (kept) => patchRows(kept, draw) }),
    );
  }
  const isDrawn = drawn.length > 0 ? at(BILL, { delivery_id: id }) : () => false;
  return [...drawn, stale((key) => under(BILLS)(key) && !isDrawn(key)), ...reportApplications()];
}

/** What is paid is not offered for release. */
function paymentApplications({ data }: LiveEventOf<"payment.changed">): Application[] {
  const { id, payment, salesOrderIds } = data;
  const drawn: Application[] = [];
  if (payment !== null) {
    const draw = (kept: Payment) => newer(kept, payment, paymentActions(payment.offers));
    drawn.push(
      answer(PAYMENT, { payment_id: id }, { draw }),
      list(PAYMENTS, { draw: (kept) => patchRows(kept, draw) }),
    );
  }
  const isDrawn = drawn.length > 0 ? at(PAYMENT, { payment_id: id }) : () => false;
  return [
    ...drawn,
    stale((key) => under(PAYMENTS)(key) && !isDrawn(key)),
    stale(at(PAYABLES)),
    stale(at(OWED), "calm"),
    stale(at(LINES), "calm"),
    ...salesOrderIds.flatMap((order) =>
      ([ORDER, LINE, HISTORY] as const).map((path) => stale(at(path, { order_id: order }))),
    ),
  ];
}

export const APPLY: Table = {
  "line.moved": lineApplications,
  "line.released": lineApplications,
  "line.status-changed": lineApplications,
  "line.changed": lineApplications,
  "order.created": orderApplications,
  "order.changed": orderApplications,
  "order.deleted": ({ data }) => staleOrder(data.id),
  "delivery.changed": billApplications,
  "payment.changed": paymentApplications,
  "earnings.changed": () => [stale(at(EARNINGS))],
  "notification.created": ({ data }) => [
    // Time has made something near, or long inside.
    stale(at(TODAY), "calm"),
    sole(UNREAD, {
      concerns: () => isNotified(data.message.productionProcessId),
      draw: (unread) =>
        unread.some(({ id }) => id === data.id) ? unread : [...unread, data as Notification],
    }),
  ],
  "notification.read": ({ data }) => [
    sole(UNREAD, { draw: (unread) => unread.filter(({ id }) => id !== data.id) }),
  ],
  "catalog.changed": ({ data }) => [
    stale(showing(data.catalog)),
    ...(data.catalog === "production-processes"
      ? [stale(at(BOARD)), stale(at(STATION)), stale(at(OWN_PROCESSES))]
      : []),
    // Products show the names of what they are made of.
    ...(["components", "materials", "export-tax-items"].includes(data.catalog)
      ? [stale(under(RESOURCES.items), "calm")]
      : []),
    stale(at("/api/audit"), "calm"),
  ],
  "board.changed": () => [stale(at(BOARD)), stale(at(STATION), "calm")],
  // These two concern the session, not the data: LiveProvider answers them.
  "session.ended": () => [],
  "permissions.changed": () => [],
};

/** What an event does, by the table; one that only a newer server knows does nothing. */
export function applicationsOf(event: LiveEvent): Application[] {
  return rowOf(event.type, event);
}

function rowOf<T extends LiveEventType>(type: T, event: LiveEventOf<T>): Application[] {
  const row: Table[T] | undefined = APPLY[type];
  return row === undefined ? [] : row(event);
}

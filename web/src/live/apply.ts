/**
 * Map each event type to the documents that it carries and the answers that it makes stale. If a
 * type has no row, this does not compile.
 */
import type {
  LineDocument,
  LineEvent,
  LiveEvent,
  LiveEventOf,
  LiveEventType,
  Notification,
  OrderEvent,
} from "@/contract";
import {
  APPROVAL_REQUESTS,
  at,
  BATCH,
  BATCH_CARDS,
  BATCH_LINES,
  BATCHES,
  BELL,
  BILL,
  BILLABLE,
  BOARD,
  CUSTOMER_ANSWERS,
  CFDI,
  CUSTOMER_PAGE,
  EARNINGS,
  FIRST,
  FORECAST,
  HISTORY,
  LINE,
  LINES,
  METAL,
  METAL_ACCOUNTS,
  METAL_MINE,
  MESSAGES,
  ORDER,
  ORDERS,
  ofBills,
  OWED,
  OWN_PROCESSES,
  PAYABLES,
  PAYMENT,
  PAYMENTS,
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
import { completeWith, historyWith, type Document } from "@/shared/http/store";
import { getSession } from "@/shared/session/session";
import { billActions, isNotified, lineActions, orderActions, paymentActions } from "./mask";
import { stationWith, withNew, withRecent, type Named } from "./stations";

export interface Application {
  documents?: readonly Document[];
  /** Answers that gain or lose an entry. */
  lists?: readonly ListChange[];
  /** Answers to load again, because more than their documents may have changed. */
  stale?: readonly Covers[];
}

interface ListChange {
  covers: Covers;
  /** Returns the same object if nothing changes. */
  change: (kept: unknown) => unknown;
}

type Table = { [T in LiveEventType]: (event: LiveEventOf<T>) => Application };

function list<P extends Path>(
  path: P,
  place: Partial<Place<P>>,
  change: (kept: Answer<P>) => Answer<P>,
): ListChange {
  const covers = at(path, place);
  return {
    covers: (key) => key[2] === undefined && covers(key),
    change: (kept) => change(kept as Answer<P>),
  };
}

const isCustomer = () => getSession()?.user.userType === "Customer";

/**
 * Convert an event's line to the form of an answer. Events do not name the processes that pieces
 * are inside of, so a customer's account keeps what it has loaded.
 */
export function lineOf(line: LineDocument) {
  const { inside, ...others } = line;
  return {
    ...others,
    ...(isCustomer() ? {} : { inside }),
    salesOrderPositionNotes: line.notes,
    salesOrderStatusName: line.status,
  };
}

type OrderHead = NonNullable<LineEvent["data"]["order"]>;

const isLine = (document: Document): document is LineDocument => document.kind === "line";
const isOrder = (document: Document): document is OrderHead => document.kind === "order";

completeWith((document) => {
  if (isLine(document)) return { actions: lineActions(document) };
  return isOrder(document) ? { actions: orderActions(document.offers) } : {};
});

const allOf = (...paths: Path[]): Covers[] => paths.map((path) => at(path));

const reports = under("/api/reports");

function lineApplication(event: LineEvent): Application {
  const { line, order, records } = event.data;
  const document = { ...lineOf(line), records };
  const place = { order_id: line.salesOrderId, position: line.position };
  return {
    documents: [document, ...(order === null ? [] : [order]), ...records],
    lists: [
      list(HISTORY, place, (kept) => withNew(kept, records, historyWith(kept, records))),
      ...boardsWith(line),
      list(STATION, {}, (kept) => withRecent(kept, event)),
    ],
    stale: [
      // A station is also reloaded: events omit the records for users who may not read them.
      ...allOf(LINES, ORDERS, STATION, OWN_PROCESSES, PAYABLES, OWED, BILLABLE, CUSTOMER_PAGE),
      at(BATCH_LINES),
      // A movement may also change what the user holds of metal.
      ...(mayEarnMe(event) ? [at(EARNINGS), at(METAL_MINE)] : []),
      // If the product changed, the components and documents changed with it. Customers load the names of processes.
      ...(event.type === "line.changed" || isCustomer()
        ? [at(LINE, place), at(ORDER, { order_id: line.salesOrderId })]
        : []),
      reports,
    ],
  };
}

/** Apply a new forecast. Lists show other values but keep their rows, so they are not reloaded. */
function forecastApplication({ data }: LiveEventOf<"line.forecast">): Application {
  const { line, order } = data;
  const place = { order_id: line.salesOrderId, position: line.position };
  return {
    documents: [lineOf(line), ...(order === null ? [] : [order])],
    // A line may have become likely late. A customer's page shows the days of the forecast.
    // Its account loads the order: events carry no figures of orders for customers.
    stale: [
      at(TODAY),
      at(FORECAST, place),
      at(FIRST, place),
      at(CUSTOMER_PAGE),
      ...(isCustomer() ? [at(ORDERS), at(ORDER, { order_id: line.salesOrderId })] : []),
    ],
  };
}

/**
 * Whether the event may change the user's earnings: a release, weights that were typed afterwards, or a
 * movement by the user or without a name.
 */
function mayEarnMe({ type, by }: LineEvent): boolean {
  const isMine = by === null || by.id === getSession()?.user.id;
  return type === "line.released" || type === "line.changed" || (type === "line.moved" && isMine);
}

/**
 * Add a line to the board and the stations. The board shows a line only if pieces are inside or
 * wait.
 */
function boardsWith(line: LineDocument): ListChange[] {
  return [
    list(BOARD, {}, (kept) => {
      const lines = withNew(kept.lines, [line], [...kept.lines, line]);
      return lines === kept.lines ? kept : { ...kept, lines };
    }),
    list(STATION, {}, (kept) => stationWith(kept, line)),
  ];
}

/**
 * The answers that a change of an order makes stale: lines may be added or removed, and an event
 * may omit them.
 */
const staleOrder = (id: number): Covers[] => [
  ...allOf(ORDERS, LINES, STATION, CUSTOMER_PAGE),
  at(ORDER, { order_id: id }),
  at(LINE, { order_id: id }),
  reports,
];

function orderApplication({ data }: OrderEvent): Application {
  const { lines, ...order } = data;
  const documents = (lines ?? []).map(lineOf);
  return {
    documents: [order, ...documents],
    lists: (lines ?? []).flatMap(boardsWith),
    stale: staleOrder(order.id),
  };
}

/**
 * Apply a changed bill. Its pieces are no longer available to other bills. The lines of the bill
 * have their own events.
 */
function billApplication({ data: { id, bill } }: LiveEventOf<"delivery.changed">): Application {
  const isIt = at(BILL, { delivery_id: id });
  const documents = bill === null ? [] : [{ ...bill, actions: billActions(bill.offers) }];
  return {
    documents,
    stale: [
      (key) => ofBills(key) && (bill === null || !isIt(key)),
      at(CUSTOMER_PAGE),
      at(CFDI, { delivery_id: id }),
      reports,
    ],
  };
}

/**
 * Apply a changed payment. Orders, lines and histories become stale too, because paid records
 * cannot be released.
 */
function paymentApplication({ data }: LiveEventOf<"payment.changed">): Application {
  const { id, payment, salesOrderIds } = data;
  const isIt = at(PAYMENT, { payment_id: id });
  const documents =
    payment === null ? [] : [{ ...payment, actions: paymentActions(payment.offers) }];
  return {
    documents,
    stale: [
      (key) => under(PAYMENTS)(key) && (payment === null || !isIt(key)),
      ...allOf(PAYABLES, OWED, LINES),
      ...salesOrderIds.flatMap((order) =>
        ([ORDER, LINE, HISTORY] as const).map((path) => at(path, { order_id: order })),
      ),
    ],
  };
}

/**
 * Apply a changed batch. A batch without a card is at a process that this display does not show.
 */
function batchApplication({ data: { card } }: LiveEventOf<"batch.changed">): Application {
  if (card === null) return {};
  const place = { batch_id: card.id };
  return {
    documents: [card],
    lists: [list(BATCH_CARDS, {}, (kept) => withNew(kept, [card], [...kept, card]))],
    stale: [at(BATCHES), at(BATCH, place), at(BATCH_LINES)],
  };
}

/** Replace accounts in each list that shows them. Sums and the ledger are reloaded. */
function accountsWith(accounts: readonly Named[]): ListChange {
  const changed = new Map(accounts.map((account) => [account.id, account]));
  const covers = at(METAL_ACCOUNTS);
  return {
    covers: (key) => key[2] === "list" && covers(key),
    change: (kept) => {
      const held = kept as { rows: readonly Named[] };
      if (!held.rows.some(({ id }) => changed.has(id))) return kept;
      return { ...held, rows: held.rows.map((one) => changed.get(one.id) ?? one) };
    },
  };
}

const unreadWithout = (id: number) =>
  list(UNREAD, {}, (kept) => {
    const others = kept.filter((one) => one.id !== id);
    return others.length === kept.length ? kept : others;
  });

export const APPLY: Table = {
  "line.moved": lineApplication,
  "line.released": lineApplication,
  "line.status-changed": lineApplication,
  "line.changed": lineApplication,
  "line.forecast": forecastApplication,
  // A call also changes its line, which has its own event.
  "line.message": ({ data }) => ({
    stale: [at(MESSAGES, { order_id: data.salesOrderId, position: data.position })],
  }),
  "order.created": orderApplication,
  "order.changed": orderApplication,
  "order.deleted": ({ data }) => ({ stale: staleOrder(data.id) }),
  "delivery.changed": billApplication,
  "payment.changed": paymentApplication,
  "batch.changed": batchApplication,
  "earnings.changed": () => ({ stale: [at(EARNINGS)] }),
  "metal.changed": ({ data: { accounts } }) => ({
    lists: accounts === null ? [] : [accountsWith(accounts)],
    stale: [under(METAL), reports],
  }),
  "notification.created": ({ data }) => ({
    documents: [data],
    lists: isNotified(data.message.productionProcessId)
      ? [list(UNREAD, {}, (kept) => withNew(kept, [data], [...kept, data as Notification]))]
      : [],
    // A due date came near, pieces have been inside for long, or a customer answered.
    stale: [at(TODAY), at(CUSTOMER_ANSWERS), at(APPROVAL_REQUESTS)],
  }),
  "customer-talk.changed": () => ({
    stale: [at(CUSTOMER_ANSWERS), at(APPROVAL_REQUESTS), at(CUSTOMER_PAGE)],
  }),
  "notification.changed": ({ data }) => ({ documents: [data] }),
  "notification.ended": ({ data }) => ({ lists: [unreadWithout(data.id)] }),
  "notification.read": ({ data }) => ({ lists: [unreadWithout(data.id)] }),
  "notices.changed": () => ({ stale: [at(BELL)] }),
  // The page of the import loads the new state itself, and the bell gets a notice.
  "import.finished": () => ({}),
  "catalog.changed": ({ data: { catalog } }) => ({
    stale: [
      showing(catalog),
      ...(catalog === "production-processes" ? [at(BOARD), at(STATION), at(OWN_PROCESSES)] : []),
      // These catalogs are the rows and columns of the grid of piece prices.
      ...(["production-processes", "items"].includes(catalog)
        ? [under(RESOURCES["process-item-prices"])]
        : []),
      // Products show the names of their components, materials, alloys and tax items.
      ...(["components", "materials", "alloys", "export-tax-items"].includes(catalog)
        ? [under(RESOURCES.items)]
        : []),
      at("/api/audit"),
    ],
  }),
  "board.changed": () => ({ stale: [at(BOARD), at(STATION)] }),
  // LiveProvider handles the next two.
  "session.ended": () => ({}),
  "permissions.changed": () => ({}),
};

/** Look up an event in the table. An unknown type from a newer server does nothing. */
export function applicationOf(event: LiveEvent): Application {
  return rowOf(event.type, event);
}

function rowOf<T extends LiveEventType>(type: T, event: LiveEventOf<T>): Application {
  const row: Table[T] | undefined = APPLY[type];
  return row === undefined ? {} : row(event);
}

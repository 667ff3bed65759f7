/** Lines, orders and line events for tests. */
import type {
  Line,
  LineDocument,
  LineEvent,
  OrderSummary,
  ProcessRecord,
  SalesOrder,
} from "@/contract";
import type { PlantProcess } from "@/entities/processes";
import { DATES, each, TEXTS } from "@/features/orders/form/values";

/** Ten pieces inside process 2, Vaciado. */
export function aRecord(): ProcessRecord {
  return {
    kind: "record",
    id: 500,
    version: 1,
    press: "0c0ffee0-0000-4000-8000-000000000500",
    productionProcessId: 2,
    productionProcessName: "Vaciado",
    quantity: 10,
    inputDate: "2026-03-14T15:00:00Z",
    inputById: 9,
    inputUsername: "Luis Vega",
    inputNotes: "",
    inputReceivedAt: null,
    outputDate: null,
    outputUsername: null,
    outputNotes: null,
    outputReceivedAt: null,
    scrapReason: null,
    photo: null,
    photoThumbnail: null,
    released: false,
    deletedDate: null,
    dateOfReprocessing: null,
    active: true,
    releasedBy: null,
    undone: false,
    releaseReason: null,
    releaseNotes: null,
    releasedExits: [],
    gramsIn: null,
    gramsOut: null,
    gramsOther: null,
    scrapGrams: null,
    gramsAdded: null,
    addedAlloyId: null,
    gramsBetween: null,
    lossGrams: null,
    lossPerMille: null,
    allowedLoss: null,
    weightReason: "",
    lossToSign: false,
    lossSignedAt: null,
    lossSignedBy: null,
    weighs: "no",
  };
}

/** The pieces of `aRecord` in the form that every reader of a line gets. */
export function someInside(pieces: Partial<Line["inside"][number]> = {}): Line["inside"][number] {
  return {
    productionProcessId: 2,
    quantity: 10,
    since: "2026-03-14T15:00:00Z",
    by: "Luis Vega",
    ...pieces,
  };
}

/** The processes that the client holds. */
export const PLANT: PlantProcess[] = [
  { id: 2, name: "Vaciado", nameEnglish: "Casting", order: 1, weighs: "no", active: true },
  { id: 3, name: "Lijado", nameEnglish: "", order: 2, weighs: "no", active: true },
];

/** Pieces that wait for Vaciado and have not been in any process. */
export function someWaiting(
  pieces: Partial<Line["waiting"][number]> = {},
): Line["waiting"][number] {
  return {
    productionProcessId: 2,
    quantity: 10,
    since: null,
    fromProductionProcessId: null,
    by: "",
    ...pieces,
  };
}

const NOT_STARTED: Line["standing"] = {
  kind: "notStarted",
  processes: [],
  nextProcesses: [],
  hereSince: null,
  lateDays: 0,
};

/** The offer to undo the entry of `aRecord`. */
export function anUndo(): Line["actions"]["undo"][number] {
  return {
    press: "0c0ffee0-0000-4000-8000-000000000500",
    lines: 1,
    recordId: 500,
    side: "in",
    productionProcessId: 2,
    productionProcessName: "Vaciado",
    quantity: 10,
    until: "2026-03-14T15:05:00Z",
    scrapped: false,
  };
}

/** Ten approved pieces that have not been in any process. */
/** No day and no text in any field that people type. */
const EMPTY_FIELDS = {
  ...each(DATES, () => null),
  ...each(TEXTS, () => ""),
};

const DOCUMENT = {
  kind: "line",
  id: 11,
  salesOrderId: 1,
  customerSalesOrderId: "PO-1",
  customerId: 1,
  customerName: "Platería Norte",
  attention: [],
  waiting: [],
  standing: NOT_STARTED,
  itemId: 3,
  itemKey: "AN-1",
  itemName: "Anillo",
  itemNameEnglish: "",
  position: 1,
  quantity: 10,
  image: null,
  thumbnail: null,
  quantityScrapped: 0,
  quantityReplaced: 0,
  quantityGood: 10,
  salesOrderDate: "2026-03-01",
  ...EMPTY_FIELDS,
  deliveryDate: "2026-03-20",
  currentProductionProcess: null,
  lastProductionProcess: null,
  inside: [],
  status: "Approved" as const,
  orderStatus: "Approved" as const,
  quantityInside: 0,
  quantityAvailable: 10,
  quantityDone: 0,
  quantityBilled: 0,
  late: false,
  version: 4,
  leftToday: [],
  weighed: false,
  metalGrams: null,
  forecast: null,
  forecastWhy: "notYet",
  call: null,
  offers: { statuses: [], in: [], out: [], release: [], undo: [], edit: false },
} satisfies LineDocument;

export function aLine(overrides: Partial<Line> = {}): Line {
  return {
    ...DOCUMENT,
    press: null,
    ownImage: false,
    creationDate: "2026-03-01T12:00:00Z",
    doneAt: null,
    offeredDate: null,
    salesOrderStatusName: "Approved",
    salesOrderNotes: "",
    quinto: "Platería Norte",
    itemNameEnglish: "",
    salesOrderPositionNotes: "",
    measures: "",
    components: [],
    itemDocuments: [],
    customerDocuments: [],
    productionProcesses: [],
    actions: {
      statuses: [],
      movements: [],
      scrap: [],
      release: [],
      undo: [],
      edit: false,
      history: false,
    },
    ...overrides,
  };
}

/** A row of the list of orders. */
export function aSummary(overrides: Partial<OrderSummary> = {}): OrderSummary {
  return {
    kind: "order",
    id: 1,
    version: 1,
    revision: 1,
    status: "Approved",
    customerId: 1,
    customerName: "Platería Norte",
    customerSalesOrderId: "PO-1",
    salesOrderDate: "2026-03-01",
    creationDate: "2026-03-01T12:00:00Z",
    notes: "",
    linesCount: 1,
    openLinesCount: 1,
    lateLinesCount: 0,
    quantity: 10,
    quantityDone: 0,
    progress: 0,
    firstDeliveryDate: "2026-03-20",
    forecast: null,
    offers: { delete: false },
    ...overrides,
  };
}

export function anOrder(overrides: Partial<SalesOrder> = {}): SalesOrder {
  return {
    ...aSummary(),
    actions: { edit: false, delete: false },
    items: [aLine()],
    ...overrides,
  };
}

/** The event of ten pieces of line 1 that entered process 2, Vaciado. */
export function aMovement(
  document: Partial<LineDocument> = {},
  data: Partial<Omit<LineEvent["data"], "line">> = {},
): LineEvent {
  const casting = { productionProcessId: 2, productionProcessName: "Vaciado" };
  const line: LineDocument = {
    ...DOCUMENT,
    status: "InProcess",
    orderStatus: "InProcess",
    quantityInside: 10,
    quantityAvailable: 0,
    version: 5,
    currentProductionProcess: casting,
    lastProductionProcess: casting,
    inside: [someInside()],
    offers: {
      statuses: ["Canceled"],
      in: [],
      out: [{ productionProcessId: 2, maxQuantity: 10 }],
      release: [],
      undo: [],
      edit: true,
    },
    ...document,
  };
  const { salesOrderId, position, customerSalesOrderId, itemName, status, orderStatus } = line;
  const { quantity, quantityInside, currentProductionProcess } = line;
  const { kind, id, version, firstDeliveryDate, forecast, offers, ...head } = aSummary();
  const { linesCount, openLinesCount, lateLinesCount, quantityDone } = head;
  return {
    id: 100,
    type: "line.moved",
    at: "2026-03-14T15:00:00Z",
    by: { id: 8, fullName: "Luis Vega" },
    data: {
      press: "0c0ffee0-0000-4000-8000-000000000500",
      salesOrderId,
      position,
      customerSalesOrderId,
      itemName,
      status,
      orderStatus,
      quantity,
      quantityInside,
      currentProductionProcess,
      line,
      order: {
        kind,
        id,
        version,
        revision: 2,
        status: "InProcess",
        linesCount,
        openLinesCount,
        lateLinesCount,
        quantity: head.quantity,
        quantityDone,
        progress: 0.5,
        firstDeliveryDate,
        forecast,
        offers,
      },
      record: null,
      records: [],
      ...data,
    },
  };
}

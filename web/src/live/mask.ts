/** What the person may do of what is offered: the server's `mask` once more, tested over the same table. */
import {
  OF_THE_OFFICE,
  type Delivery,
  type Line,
  type LineDocument,
  type Payment,
  type Permission,
  type SalesOrder,
} from "@/contract";
import { getSession } from "@/shared/session/session";
import { undoStillPossible } from "./derived";

type Offers = Line["offers"];
/** Without `undo`, which is the person's own and comes with an answer to him alone. */
type Masked = Omit<Line["actions"], "undo">;

interface Rights {
  permissions: readonly Permission[];
  processes: readonly number[];
}

export function mask(offers: Offers, rights: Rights): Masked {
  const may = (action: Permission) => rights.permissions.includes(action);
  const movements = (type: "in" | "out") =>
    offers[type]
      .filter(({ productionProcessId }) => rights.processes.includes(productionProcessId))
      .map((offer) => ({ type, ...offer }));
  return {
    statuses: may("UpdateSalesOrderPositionStatus") ? (offers.statuses as Masked["statuses"]) : [],
    movements: [
      ...(may("SalesOrderPositionProcessOut") ? movements("out") : []),
      ...(may("SalesOrderPositionProcessIn") ? movements("in") : []),
    ],
    release: may("ReleaseProductionProccess") ? offers.release : [],
    edit: offers.edit && may("UpdateSalesOrderPosition"),
    history: may("SalesOrderPositionRecord"),
  };
}

/** The signed-in person's of a line that an event brings. Undoing is his own: what is no longer possible of it goes. */
export function actionsOf(document: LineDocument, before: Line["actions"]): Line["actions"] {
  const undo = undoStillPossible(before.undo, document);
  return { ...mask(document.offers, ownRights()), undo };
}

function ownRights(): Rights {
  const session = getSession();
  return {
    permissions: session?.permissions ?? [],
    processes: session?.user.productionProcessIds ?? [],
  };
}

/** Whether a person is notified of pieces inside a process, or of a delivery date where that is null. */
export function isNotified(process: number | null, rights: Rights = ownRights()): boolean {
  const { permissions, processes } = rights;
  if (!permissions.includes("ListOrders")) return false;
  if (processes.length === 0 || OF_THE_OFFICE.some((one) => permissions.includes(one))) return true;
  return process !== null && processes.includes(process);
}

const may = (permission: Permission) => getSession()?.permissions.includes(permission) === true;

export function orderActions(offers: SalesOrder["offers"]): SalesOrder["actions"] {
  return { edit: may("UpdateSalesOrder"), delete: offers.delete && may("DeleteSalesOrder") };
}

export function billActions(offers: Delivery["offers"]): Delivery["actions"] {
  return {
    edit: offers.edit && may("UpdateDelivery"),
    bill: offers.bill && may("UpdateDelivery"),
    cancel: offers.cancel && may("CancelDelivery"),
    export: offers.export && may("UpdateDelivery"),
    numbers: offers.numbers && may("UpdateDelivery"),
    print: may("ReportListBills"),
  };
}

export function paymentActions(offers: Payment["offers"]): Payment["actions"] {
  return { cancel: offers.cancel && may("CancelPay") };
}

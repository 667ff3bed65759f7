/** Reduce a record's offers to the user's actions, as the server's `mask` does. Both are tested with the same cases. */
import {
  OF_THE_OFFICE,
  type Delivery,
  type Line,
  type Payment,
  type Permission,
  type SalesOrder,
} from "@/contract";
import { getSession } from "@/shared/session/session";

type Offers = Line["offers"];

interface Rights {
  permissions: readonly Permission[];
  processes: readonly number[];
  /** The user's id. */
  me: number | null;
}

export function mask(offers: Offers, rights: Rights): Line["actions"] {
  const may = (action: Permission) => rights.permissions.includes(action);
  const mayMove = {
    in: may("SalesOrderPositionProcessIn"),
    out: may("SalesOrderPositionProcessOut"),
  };
  const movements = (type: "in" | "out", allowed = mayMove[type]) =>
    allowed
      ? offers[type]
          .filter(({ productionProcessId }) => rights.processes.includes(productionProcessId))
          .map((offer) => ({ type, ...offer }))
      : [];
  return {
    statuses: may("UpdateSalesOrderPositionStatus")
      ? (offers.statuses as Line["actions"]["statuses"])
      : [],
    movements: [...movements("out"), ...movements("in")],
    scrap: movements("out", may("ScrapPieces")),
    release: may("ReleaseProductionProccess") ? offers.release : [],
    undo: offers.undo
      .filter(({ byId }) => byId === rights.me)
      .filter(({ side, scrapped }) => (scrapped ? may("ScrapPieces") : mayMove[side]))
      .filter(({ handedOver }) => !handedOver || mayMove.in)
      .map(({ byId: _by, handedOver: _both, ...undo }) => undo),
    edit: offers.edit && may("UpdateSalesOrderPosition"),
    history: may("SalesOrderPositionRecord"),
  };
}

/** The signed-in user's actions on a line that an event carries. */
export function lineActions(offers: Offers): Line["actions"] {
  return mask(offers, ownRights());
}

function ownRights(): Rights {
  const session = getSession();
  return {
    permissions: session?.permissions ?? [],
    processes: session?.user.productionProcessIds ?? [],
    me: session?.user.id ?? null,
  };
}

/** Whether a user is notified of pieces inside a process, or of a delivery date if `process` is null. */
export function isNotified(
  process: number | null,
  rights: Omit<Rights, "me"> = ownRights(),
): boolean {
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

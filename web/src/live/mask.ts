/** Reduce a record's offers to the user's actions, as the server's `mask` does. Both are tested with the same cases. */
import {
  OF_THE_OFFICE,
  type Delivery,
  type Line,
  type Payment,
  type Permission,
  type SalesOrder,
} from "@/contract";
import { heldProcesses, type PlantProcess } from "@/entities/processes";
import { getSession } from "@/shared/session/session";

type Offers = Line["offers"];
type Movement = Line["actions"]["movements"][number];

interface Rights {
  permissions: readonly Permission[];
  /** The ids of the processes that the user works in. */
  processes: readonly number[];
  /** The user's id. */
  me: number | null;
}

/** How many pieces may enter an active process. */
export function mayEnter(offers: Pick<Offers, "in">, id: number): number {
  const named = offers.in.find(({ productionProcessIds: ids }) => ids?.includes(id));
  const others = offers.in.find(({ productionProcessIds: ids }) => ids === null);
  return (named ?? others)?.maxQuantity ?? 0;
}

/** How many pieces may leave a process. */
export const mayLeave = (offers: Pick<Offers, "out">, id: number): number =>
  offers.out.find(({ productionProcessId }) => productionProcessId === id)?.maxQuantity ?? 0;

/** `plant`: all processes, in the plant's order. */
export function mask(
  { offers, weighed }: Pick<Line, "offers" | "weighed">,
  rights: Rights,
  plant: readonly PlantProcess[],
): Line["actions"] {
  const may = (action: Permission) => rights.permissions.includes(action);
  const mayMove = {
    in: may("SalesOrderPositionProcessIn"),
    out: may("SalesOrderPositionProcessOut"),
  };
  const most = {
    in: ({ id, active }: PlantProcess) => (active ? mayEnter(offers, id) : 0),
    out: ({ id }: PlantProcess) => mayLeave(offers, id),
  };
  const own = plant.filter(({ id }) => rights.processes.includes(id));
  const movements = (type: "in" | "out", allowed = mayMove[type]) =>
    (allowed ? own : [])
      .map((process): Movement => ({
        type,
        productionProcessId: process.id,
        productionProcessName: process.name,
        maxQuantity: most[type](process),
        weighs: weighed ? process.weighs : "no",
      }))
      .filter(({ maxQuantity }) => maxQuantity > 0);
  const named = <T extends { productionProcessId: number }>(offer: T) => ({
    ...offer,
    productionProcessName: plant.find(({ id }) => id === offer.productionProcessId)?.name ?? "",
  });
  return {
    statuses: may("UpdateSalesOrderPositionStatus")
      ? (offers.statuses as Line["actions"]["statuses"])
      : [],
    movements: [...movements("out"), ...movements("in")],
    scrap: movements("out", may("ScrapPieces")),
    release: may("ReleaseProductionProccess") ? offers.release.map(named) : [],
    undo: offers.undo
      .filter(({ byId }) => byId === rights.me)
      .filter(({ side, scrapped }) => (scrapped ? may("ScrapPieces") : mayMove[side]))
      .filter(({ handedOver }) => !handedOver || mayMove.in)
      .map(({ byId: _by, handedOver: _both, ...undo }) => named(undo)),
    edit: offers.edit && may("UpdateSalesOrderPosition"),
    history: may("SalesOrderPositionRecord"),
  };
}

/** The signed-in user's actions on a line of a list or an event, which carry offers alone. */
export function lineActions(line: Pick<Line, "offers" | "weighed">): Line["actions"] {
  return mask(line, ownRights(), heldProcesses());
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
    settle: offers.settle && may("UpdateDelivery"),
    print: may("ReportListBills"),
  };
}

export function paymentActions(offers: Payment["offers"]): Payment["actions"] {
  return { cancel: offers.cancel && may("CancelPay") };
}

/** What the client works out itself because an event of a line does not say it: six rules that the server has as well. */
import type { Line, LineDocument, LineEvent, LineStatus, SalesOrder, ShopFloor } from "@/contract";

const DONE = new Set<LineStatus>(["Done", "Invoiced"]);

type Counted = Pick<Line, "status" | "quantity" | "quantityDone" | "late" | "deliveryDate">;

/** What the head of an order says of its lines, as the server counts them: both are tested over one table. */
export function figuresOf(items: readonly Counted[]) {
  const counted = items.filter(({ status }) => status !== "Canceled");
  const open = counted.filter(({ status }) => !DONE.has(status));
  const days = (open.length > 0 ? open : counted).flatMap(({ deliveryDate }) => deliveryDate ?? []);
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    linesCount: items.length,
    openLinesCount: open.length,
    lateLinesCount: open.filter(({ late }) => late).length,
    quantity: sum(counted.map(({ quantity }) => quantity)),
    quantityDone: sum(counted.map(({ quantityDone }) => quantityDone)),
    firstDeliveryDate: days.toSorted()[0] ?? null,
  };
}

/**
 * How far an order is, between 0 and 1, to four places: `done` pieces, and for products with so many usual processes how
 * often an unfinished piece has left one of them. The server has the same function; both are tested over one table.
 */
export function progress(
  done: number,
  onTheWay: ReadonlyMap<number, number>,
  pieces: number,
): number {
  const sorted = [...onTheWay].toSorted(([one], [other]) => one - other);
  const part = done + sorted.reduce((total, [usual, left]) => total + left / usual, 0);
  return pieces === 0 ? 0 : Math.floor((10_000 * part) / pieces + 0.5) / 10_000;
}

/** The progress of an order, from its lines' histories. */
export function progressOf({
  items,
  usualProcesses,
}: Pick<SalesOrder, "items" | "usualProcesses">): number {
  const { quantity, quantityDone } = figuresOf(items);
  const onTheWay = new Map<number, number>();
  for (const { status, itemId, productionProcesses } of items) {
    const usual = usualProcesses.find((each) => each.itemId === itemId)?.productionProcessIds;
    if (usual === undefined || status === "Canceled" || DONE.has(status)) continue;
    for (const { productionProcessId, outputDate, released, quantity: left } of productionProcesses)
      if (outputDate !== null && !released && usual.includes(productionProcessId))
        onTheWay.set(usual.length, (onTheWay.get(usual.length) ?? 0) + left);
  }
  return progress(quantityDone, onTheWay, quantity);
}

/**
 * Whether an event tells an order's progress: not to who reads no histories, and a finished line may change what its
 * product usually takes.
 */
export function tellsProgress(
  { items, usualProcesses }: SalesOrder,
  { data: { line } }: LineEvent,
): boolean {
  const before = items.find(({ position }) => position === line.position);
  return (
    before !== undefined &&
    usualProcesses.some(({ itemId }) => itemId === line.itemId) &&
    ![before.status, line.status].some((status) => DONE.has(status as LineStatus))
  );
}

/** Whether pieces of it are finished and on no bill. */
export function isToBill({
  status,
  quantity,
  quantityBilled,
}: Pick<LineDocument, "status" | "quantity" | "quantityBilled">): boolean {
  return status === "Done" && quantityBilled < quantity;
}

/** An order stays where pieces of it were moved or billed. */
export function endsDeleting({ type, data }: LineEvent): boolean {
  return type === "line.moved" || data.line.quantityBilled > 0;
}

/** Of one's own movements that could be undone, those that still can: the pieces are where they went. */
export function undoStillPossible(
  undo: Line["actions"]["undo"],
  line: LineDocument,
): Line["actions"]["undo"] {
  return undo.filter(({ side, recordId, quantity }) =>
    side === "in"
      ? line.inside.some((pieces) => pieces.recordId === recordId)
      : line.quantityBilled === 0 && line.quantityAvailable >= quantity,
  );
}

/**
 * Where a line's free pieces wait: process and pieces, each at the first one that it has not been in. `mayEnter` in the
 * order of the processes; `usual` are those that the product takes, null where that is not known. The server has the
 * same function; both are tested over one table.
 */
export function waitingOf(
  mayEnter: LineDocument["offers"]["in"],
  usual: readonly number[] | null,
): ShopFloor["lines"][number]["waiting"] {
  let earlier = 0;
  return mayEnter.flatMap(({ productionProcessId, maxQuantity }) => {
    // Who waits for an earlier process has not been in this one either.
    const quantity = maxQuantity - earlier;
    if (usual?.includes(productionProcessId) === false || quantity <= 0) return [];
    earlier = maxQuantity;
    return [{ productionProcessId, quantity }];
  });
}

/** What the client works out itself because an event of a line does not say it: five rules that the server has as well. */
import type { Line, LineDocument, LineEvent, LineStatus, ShopFloor } from "@/contract";

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

/** A day again: the board at any instant of it, from what was inside when it began and what moved since. */
import type { ShopDay, ShopFloorCard } from "@/contract";
import { byEntry, type Floor, type Lane } from "./boardView";

/** The board as it was just after an instant, in milliseconds. What waited nobody knows. */
export function stateOf(day: ShopDay, instant: number): Floor {
  const inside = new Map<number, Map<number, ShopFloorCard>>();
  /** Pieces that left today and have not come back, by process and record. */
  const left = new Map<number, Map<number, number>>();
  for (const { productionProcessId, cards } of day.start) {
    inside.set(productionProcessId, new Map(cards.map((card) => [card.recordId, card])));
    left.set(productionProcessId, new Map());
  }
  for (const { at, type, productionProcessId, card } of day.movements) {
    if (Date.parse(at) > instant) break;
    const [here, gone] = [inside.get(productionProcessId), left.get(productionProcessId)];
    if (type === "in" || type === "returned") {
      here?.set(card.recordId, card);
      gone?.delete(card.recordId);
    } else {
      here?.delete(card.recordId);
      if (type === "out") gone?.set(card.recordId, card.pieces);
      else gone?.delete(card.recordId);
    }
  }
  const lanes = day.start.map((lane): Lane => ({
    ...lane,
    cards: byEntry(inside.get(lane.productionProcessId)?.values() ?? []),
    leftToday: sum(left.get(lane.productionProcessId)?.values() ?? []),
  }));
  return { lanes, lines: null };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** Which processes get another order when one of them is moved. */

export interface Ordered {
  id: number;
  order: number;
}

/** `rows` moved from one place to another. */
export function moved<T>(rows: readonly T[], from: number, to: number): T[] {
  const next = [...rows];
  const [row] = next.splice(from, 1);
  if (row !== undefined) next.splice(to, 0, row);
  return next;
}

/**
 * The fewest new orders that make `rows`, in the places they stand in now, go upwards from 1.
 * A row keeps its order where it is still above the one before it and leaves room for those behind it.
 */
export function newOrders(rows: readonly Ordered[]): Map<number, number> {
  const kept = longestRise(rows);
  const changes = new Map<number, number>();
  let last = 0;
  rows.forEach((row, place) => {
    // A kept row whose number has been reached by those before it moves up with them.
    const order = kept.has(place) && row.order > last ? row.order : last + 1;
    if (order !== row.order) changes.set(row.id, order);
    last = order;
  });
  return changes;
}

/** The places of the longest strictly rising run of orders that leaves room for the rows between. */
function longestRise(rows: readonly Ordered[]): Set<number> {
  // What is free above each row once every place before it has taken one number.
  const room = rows.map(({ order }, place) => order - place);
  const length: number[] = [];
  const before: number[] = [];
  let best = -1;
  room.forEach((value, place) => {
    length[place] = value >= 1 ? 1 : 0;
    before[place] = -1;
    for (let earlier = 0; earlier < place; earlier += 1) {
      const fits = length[earlier]! > 0 && room[earlier]! <= value;
      if (fits && length[earlier]! + 1 > length[place]!) {
        length[place] = length[earlier]! + 1;
        before[place] = earlier;
      }
    }
    // Of two that are as long, the one whose numbers do not climb.
    const longer = length[place]! - (length[best] ?? 0);
    if (longer > 0 || (longer === 0 && value <= (room[best] ?? 0))) best = place;
  });
  const kept = new Set<number>();
  for (let place = best; place >= 0; place = before[place]!) kept.add(place);
  return kept;
}

/** Compute which processes get a new order when one is moved. */

export interface Ordered {
  id: number;
  order: number;
}

export function moved<T>(rows: readonly T[], from: number, to: number): T[] {
  const next = [...rows];
  const [row] = next.splice(from, 1);
  if (row !== undefined) next.splice(to, 0, row);
  return next;
}

/**
 * Return the fewest new orders, by id, that make `rows` increase strictly from 1 on. A row keeps
 * its order if it is above the row before it and leaves room for those after it.
 */
export function newOrders(rows: readonly Ordered[]): Map<number, number> {
  const kept = longestRise(rows);
  const changes = new Map<number, number>();
  let last = 0;
  rows.forEach((row, place) => {
    // A kept row moves up too if the rows before it have reached its order.
    const order = kept.has(place) && row.order > last ? row.order : last + 1;
    if (order !== row.order) changes.set(row.id, order);
    last = order;
  });
  return changes;
}

/**
 * Return the indexes of the longest strictly increasing run of orders that leaves room for the rows
 * in between.
 */
function longestRise(rows: readonly Ordered[]): Set<number> {
  // The numbers free below each row after each row before it took one. In a run they must not
  // decrease.
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
    // Of two runs of the same length, take the one with the lower numbers.
    const longer = length[place]! - (length[best] ?? 0);
    if (longer > 0 || (longer === 0 && value <= (room[best] ?? 0))) best = place;
  });
  const kept = new Set<number>();
  for (let place = best; place >= 0; place = before[place]!) kept.add(place);
  return kept;
}

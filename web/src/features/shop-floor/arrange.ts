/**
 * Arrange lanes on a screen that does not scroll: bands below each other, each lane with as many
 * columns as its load needs.
 */

export interface Place {
  /** Index of the lane. */
  lane: number;
  /** Columns of cards; 0 for an empty lane, which is shown as a strip. */
  columns: number;
}

export interface Arrangement {
  bands: Place[][];
  /** Rows of cards in each lane. */
  rows: number;
  /** Factor of all sizes; below 1 if the lanes do not fit at full size. */
  scale: number;
}

/** Sizes at full scale, in hundredths of the screen's shorter side. The stylesheet has the same. */
const CARD = { width: 43, wide: 58, height: 14.6 };
const LANE_HEAD = 4.6;
const STRIP = 5.6;
const GAP = 1;
const SMALLEST = 0.25;

/**
 * Arrange the lanes at the largest scale at which all fit. `loads`: cards of each lane. `room`: in
 * hundredths of the screen's shorter side.
 */
export function arrange(
  loads: readonly number[],
  room: { width: number; height: number },
): Arrangement {
  for (let scale = 1; scale > SMALLEST; scale *= 0.92) {
    const found = arrangeAt(loads, { width: room.width / scale, height: room.height / scale });
    if (found !== null) return { ...found, scale };
  }
  return { bands: [loads.map((_, lane) => ({ lane, columns: 1 }))], rows: 1, scale: SMALLEST };
}

interface Try {
  bands: Place[][];
  rows: number;
  /** Cards without room. */
  hidden: number;
  /**
   * Sum of the squares of the cards that each lane hides. It is smaller if lanes hide equally many.
   */
  uneven: number;
}

/**
 * Show as many cards as possible; if that is equal, larger cards, and equally many of each lane.
 * Null if not every lane fits.
 */
function arrangeAt(loads: readonly number[], room: { width: number; height: number }): Try | null {
  const full = loads.filter((load) => load > 0).length;
  let best: Try | null = null;
  for (const width of [CARD.wide, CARD.width]) {
    for (let count = 1; count <= Math.max(1, full); count += 1) {
      const height = (room.height - GAP * (count - 1)) / count - LANE_HEAD;
      const rows = Math.floor((height + GAP) / (CARD.height + GAP));
      if (rows < 1) break;
      const found = share(loads, count, rows, (strips) =>
        Math.floor((room.width - strips * (STRIP + GAP) + GAP) / (width + GAP)),
      );
      if (found !== null && (best === null || found.hidden < best.hidden)) best = found;
    }
  }
  return best;
}

/** Split the lanes, in their order, into `count` bands in the best way. Null if they do not fit. */
function share(
  loads: readonly number[],
  count: number,
  rows: number,
  columnsBeside: (strips: number) => number,
): Try | null {
  /** The best split of the first n lanes into the bands so far, by n. */
  let before: (Try | null)[] = [
    { bands: [], rows, hidden: 0, uneven: 0 },
    ...Array<null>(loads.length).fill(null),
  ];
  for (let band = 0; band < count; band += 1) {
    const after: (Try | null)[] = Array<null>(loads.length + 1).fill(null);
    for (const [start, sofar] of before.entries()) {
      if (sofar === null) continue;
      for (let end = start + 1; end <= loads.length; end += 1) {
        const one = fill(loads, start, end, rows, columnsBeside);
        if (one === null) continue;
        const hidden = sofar.hidden + one.hidden;
        const uneven = sofar.uneven + one.uneven;
        const held = after[end];
        if (held && (held.hidden - hidden || held.uneven - uneven) <= 0) continue;
        after[end] = { bands: [...sofar.bands, one.places], rows, hidden, uneven };
      }
    }
    before = after;
  }
  return before[loads.length] ?? null;
}

/**
 * Fill one band: each lane with cards has a column, and each free column goes where most cards are
 * still hidden. Null if the lanes do not fit.
 */
function fill(
  loads: readonly number[],
  start: number,
  end: number,
  rows: number,
  columnsBeside: (strips: number) => number,
): { places: Place[]; hidden: number; uneven: number } | null {
  const places: Place[] = [];
  for (let lane = start; lane < end; lane += 1) {
    places.push({ lane, columns: (loads[lane] ?? 0) > 0 ? 1 : 0 });
  }
  const open = places.filter(({ columns }) => columns > 0);
  let free = columnsBeside(places.length - open.length) - open.length;
  if (free < 0) return null;
  const hiddenOf = ({ lane, columns }: Place) => Math.max(0, (loads[lane] ?? 0) - columns * rows);
  for (; free > 0; free -= 1) {
    const [fullest] = open.toSorted((one, other) => hiddenOf(other) - hiddenOf(one));
    if (fullest === undefined || hiddenOf(fullest) === 0) break;
    fullest.columns += 1;
  }
  return {
    places,
    hidden: open.reduce((sum, place) => sum + hiddenOf(place), 0),
    uneven: open.reduce((sum, place) => sum + hiddenOf(place) ** 2, 0),
  };
}

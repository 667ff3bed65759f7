/** How lanes share a screen that nobody scrolls: bands below each other, each lane as many columns as its load asks. */

export interface Place {
  /** The lane's index. */
  lane: number;
  /** Columns of cards; 0 is a strip: nothing is inside. */
  columns: number;
}

export interface Arrangement {
  bands: Place[][];
  /** Rows of cards in each lane. */
  rows: number;
  /** What all sizes are multiplied by, where there are more lanes than find room at full size. */
  scale: number;
}

/** Hundredths of the screen's shorter side, at full size. The stylesheet has the same. */
const CARD = { width: 43, wide: 58, height: 14.6 };
const LANE_HEAD = 4.6;
const STRIP = 5.6;
const GAP = 1;
const SMALLEST = 0.25;

/** `loads`: cards of each lane. `room` in hundredths of the screen's shorter side. */
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
  /** Cards that find no room. */
  hidden: number;
  /** The squares of what each lane hides: less where the lanes hide alike. */
  uneven: number;
}

/** Shows the most cards that it can; where that is the same, larger ones, and as many of each lane. Null where not every lane finds room. */
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

/** The best way to part the lanes, in their order, into so many bands. */
function share(
  loads: readonly number[],
  count: number,
  rows: number,
  columnsBeside: (strips: number) => number,
): Try | null {
  /** The best for the lanes before each one, in the bands so far. */
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

/** One band: every lane with something inside has a column, and the others go where most cards are still hidden. */
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

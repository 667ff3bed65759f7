/**
 * Compute what the board shows from its lines: cards and figures of each lane, late lines, and the
 * bottleneck.
 */
import type {
  BatchCard,
  LineDocument,
  ShopDay,
  ShopFloor,
  ShopFloorCard,
  ShopFloorLane,
} from "@/contract";

export interface Lane extends ShopFloorLane {
  /** Oldest first. */
  cards: readonly InsideCard[];
  /** Pieces that left since the plant's midnight. */
  leftToday: number;
}

/**
 * Pieces inside a process. In a replay `line` and `likelyLate` are absent, because a replay knows
 * only the past.
 */
export interface InsideCard extends ShopFloorCard {
  line?: LineDocument;
  likelyLate?: boolean;
}

/**
 * Pieces of a late or likely late line that wait for the lane's process. `since` and `waitsAfter`:
 * when they left their last process, and which one.
 */
export interface WaitingCard extends Omit<ShopFloorCard, "since"> {
  line: LineDocument;
  likelyLate: boolean;
  /** Null if the pieces have not been in any process. */
  since: string | null;
  /** The process that the pieces left, or null. */
  waitsAfter: number | null;
}

/** A batch inside the lane's process. Its pieces are those of its `parts`. */
export interface BatchedCard extends InsideCard {
  batch: BatchCard;
  parts: readonly InsideCard[];
}

export type Card = InsideCard | BatchedCard | WaitingCard;

/**
 * The live board, or the board of a replay. In a replay `lines` is null, because it is unknown what
 * waited.
 */
export interface Floor {
  lanes: readonly Lane[];
  lines: readonly LineDocument[] | null;
}

/**
 * Build the live board, with one card for each batch that is inside. A lane stays the same object
 * while its cards and figures stay the same.
 */
export function floorOf({ lanes, lines }: ShopFloor, batches: readonly BatchCard[] = []): Floor {
  const cards = new Map<number, InsideCard[]>();
  const left = new Map<number, number>();
  const parts = new Map<BatchCard, InsideCard[]>();
  const inside = batches.filter(({ state }) => state === "inside");
  for (const line of lines) {
    for (const [process, card] of cardsOf(withoutBatched(rowsOf(line), line, inside, parts))) {
      const here = cards.get(process);
      if (here === undefined) cards.set(process, [card]);
      else here.push(card);
    }
    for (const { productionProcessId: process, quantity } of line.leftToday)
      left.set(process, (left.get(process) ?? 0) + quantity);
  }
  for (const [batch, found] of parts) {
    const process = batch.productionProcessId;
    cards.set(process, [...(cards.get(process) ?? []), batchedCardOf(batch, found)]);
  }
  const filled = lanes.map((lane) => {
    const process = lane.productionProcessId;
    return sameLane(lane, byEntry(cards.get(process) ?? []), left.get(process) ?? 0);
  });
  return { lanes: filled, lines };
}

export const byEntry = (cards: Iterable<InsideCard>) =>
  [...cards].toSorted(
    (one, other) =>
      Date.parse(one.since) - Date.parse(other.since) || one.recordId - other.recordId,
  );

/**
 * Build the board of a replay just after `instant`, in ms. It does not know what waited, and does
 * not count scrap as exits.
 */
export function stateOf(day: ShopDay, instant: number): Floor {
  /** What is inside, and what left since the day began, by process and line. */
  const inside = new Map<number, Map<string, ShopFloorCard>>();
  const left = new Map<number, Map<string, number>>();
  for (const { productionProcessId, cards } of day.start) {
    inside.set(productionProcessId, new Map(cards.map((card) => [nameOf(card), card])));
    left.set(productionProcessId, new Map());
  }
  for (const { at, productionProcessId, card, inside: pieces, leftToday } of day.movements) {
    if (Date.parse(at) > instant) break;
    const name = nameOf(card);
    const here = inside.get(productionProcessId);
    if (pieces === 0) here?.delete(name);
    else here?.set(name, { ...card, pieces });
    left.get(productionProcessId)?.set(name, leftToday);
  }
  const lanes = day.start.map((lane): Lane => ({
    ...lane,
    cards: byEntry(inside.get(lane.productionProcessId)?.values() ?? []),
    leftToday: sumOf(left.get(lane.productionProcessId)?.values() ?? []),
  }));
  return { lanes, lines: null };
}

const nameOf = ({ salesOrderId, position }: ShopFloorCard) => `${salesOrderId}-${position}`;

function sumOf(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

const lastLanes = new WeakMap<ShopFloorLane, Lane>();

function sameLane(lane: ShopFloorLane, cards: readonly InsideCard[], leftToday: number): Lane {
  const last = lastLanes.get(lane);
  const isSame =
    last?.leftToday === leftToday &&
    last.cards.length === cards.length &&
    last.cards.every((card, index) => card === cards[index]);
  const next = isSame ? last : { ...lane, cards, leftToday };
  lastLanes.set(lane, next);
  return next;
}

/** What every card of a line shows. */
const ofLine = (line: LineDocument) => ({
  salesOrderId: line.salesOrderId,
  position: line.position,
  customerSalesOrderId: line.customerSalesOrderId,
  customerName: line.customerName,
  itemId: line.itemId,
  itemName: line.itemName,
  itemNameEnglish: line.itemNameEnglish,
  image: line.thumbnail,
  quantity: line.quantity,
  deliveryDate: line.deliveryDate,
  late: line.late,
  likelyLate: isLikelyLate(line),
  line,
});

const isLikelyLate = ({ attention }: LineDocument) => attention.includes("likelyLate");

type Cards = readonly (readonly [process: number, card: InsideCard])[];

const madeRows = new WeakMap<LineDocument, Cards>();

const MOST_PROCESSES = 2 ** 20;

/** The pieces of each person of a line, with their process. Computed once for each line object. */
function rowsOf(line: LineDocument): Cards {
  const made = madeRows.get(line);
  if (made !== undefined) return made;
  const rows = line.inside.map(({ productionProcessId, quantity: pieces, since, by }) => {
    // Names the card of the line in the process.
    const recordId = line.id * MOST_PROCESSES + productionProcessId;
    return [productionProcessId, { ...ofLine(line), recordId, pieces, since, by }] as const;
  });
  madeRows.set(line, rows);
  return rows;
}

const piecesOf = ({ pieces }: InsideCard) => pieces;

const madeCards = new WeakMap<Cards, Cards>();

/**
 * The cards of a line: one for each process, with the pieces of all `rows` there, since the oldest
 * of them. Computed once for the same rows.
 */
function cardsOf(rows: Cards): Cards {
  const made = madeCards.get(rows);
  if (made !== undefined) return made;
  const processes = new Set(rows.map(([process]) => process));
  const cards = [...processes].map((process) => {
    const here = rows.filter(([other]) => other === process).map(([, card]) => card);
    const [oldest] = byEntry(here);
    const card = here.length === 1 ? oldest! : { ...oldest!, pieces: sumOf(here.map(piecesOf)) };
    return [process, card] as const;
  });
  madeCards.set(rows, cards);
  return cards;
}

/** Take the pieces of batches out of a line's cards, and add them to `parts`. */
function withoutBatched(
  cards: Cards,
  line: LineDocument,
  inside: readonly BatchCard[],
  parts: Map<BatchCard, InsideCard[]>,
): Cards {
  let rest = cards;
  for (const batch of inside) {
    const { productionProcessId, enteredAt, lines } = batch;
    const isOn = (one: BatchCard["lines"][number]) =>
      one.salesOrderId === line.salesOrderId && one.position === line.position;
    let toTake = lines.find(isOn)?.quantity ?? 0;
    if (toTake === 0) continue;
    const isOf = ({ since }: InsideCard) => Number(since !== enteredAt);
    const left: [number, InsideCard][] = [];
    // Take first the pieces that entered together with the batch, then the oldest.
    for (const [process, card] of rest.toSorted(([, one], [, other]) => isOf(one) - isOf(other))) {
      const pieces = process === productionProcessId ? Math.min(toTake, card.pieces) : 0;
      toTake -= pieces;
      const isWhole = pieces === card.pieces;
      if (pieces > 0) {
        parts.set(batch, [...(parts.get(batch) ?? []), isWhole ? card : { ...card, pieces }]);
      }
      if (pieces === 0) left.push([process, card]);
      else if (!isWhole) left.push([process, { ...card, pieces: card.pieces - pieces }]);
    }
    rest = left;
  }
  return rest;
}

const madeBatchedCards = new WeakMap<BatchCard, BatchedCard>();

/**
 * Return the card of a batch: the same object while its parts are the same. Its `recordId` differs
 * from those of records and lines.
 */
function batchedCardOf(batch: BatchCard, parts: readonly InsideCard[]): BatchedCard {
  const made = madeBatchedCards.get(batch);
  const isSame =
    made?.parts.length === parts.length && made.parts.every((part, index) => part === parts[index]);
  if (isSame) return made;
  const first = byEntry(parts)[0]!;
  const days = parts.flatMap(({ deliveryDate }) => deliveryDate ?? []).toSorted();
  const card = {
    ...first,
    recordId: -(2 ** 40) - batch.id,
    pieces: sumOf(parts.map(({ pieces }) => pieces)),
    quantity: batch.quantity,
    since: batch.enteredAt ?? first.since,
    deliveryDate: days[0] ?? null,
    late: parts.some(({ late }) => late),
    likelyLate: parts.some(({ likelyLate }) => likelyLate === true),
    batch,
    parts,
  };
  madeBatchedCards.set(batch, card);
  return card;
}

/** The cards of single lines behind a card. */
const partsOf = (card: InsideCard | BatchedCard) => ("parts" in card ? card.parts : [card]);

const madeWaitingCards = new WeakMap<LineDocument["waiting"][number], WaitingCard>();

/**
 * Return the card of waiting pieces of a late or likely late line. Its `recordId` differs from
 * those of records. Computed once for each object.
 */
function waitingCardOf(line: LineDocument, pieces: LineDocument["waiting"][number]): WaitingCard {
  const made = madeWaitingCards.get(pieces) ?? {
    ...ofLine(line),
    recordId: -line.id,
    pieces: pieces.quantity,
    since: pieces.since,
    by: pieces.by,
    waitsAfter: pieces.fromProductionProcessId,
  };
  madeWaitingCards.set(pieces, made);
  return made;
}

export interface LaneView {
  lane: Lane;
  /**
   * Late cards come first, then likely late ones, then the others. In each group, cards inside come
   * before waiting ones, the oldest inside first.
   */
  cards: readonly Card[];
  pieces: number;
  /** Null if unknown. */
  waitingPieces: number | null;
  waitingLines: number;
}

export interface Bottleneck {
  name: string;
  /**
   * Days that the process needs, at its recent speed, for the pieces inside and those that wait.
   */
  days: number;
}

export interface BoardView {
  lanes: LaneView[];
  pieces: number;
  lateLines: number;
  bottleneck: Bottleneck | null;
}

const NOTHING = { pieces: 0, lines: 0 };

/** Compute the view of a board. `only`: the processes to show; an empty list means all. */
export function viewOf(floor: Floor, only: readonly number[] = []): BoardView {
  const shown = floor.lanes.filter(
    ({ productionProcessId }) => only.length === 0 || only.includes(productionProcessId),
  );
  const ids = new Set(shown.map(({ productionProcessId }) => productionProcessId));
  const waits = new Map<number, typeof NOTHING>();
  const lateAndWaiting = new Map<number, WaitingCard[]>();
  const late = new Set<string>();
  for (const line of floor.lines ?? []) {
    for (const waiting of line.waiting) {
      const { productionProcessId, quantity } = waiting;
      if (!ids.has(productionProcessId)) continue;
      const { pieces, lines } = waits.get(productionProcessId) ?? NOTHING;
      waits.set(productionProcessId, { pieces: pieces + quantity, lines: lines + 1 });
      if (line.late) late.add(`${line.salesOrderId}-${line.position}`);
      else if (!isLikelyLate(line)) continue;
      const cards = lateAndWaiting.get(productionProcessId) ?? [];
      lateAndWaiting.set(productionProcessId, [...cards, waitingCardOf(line, waiting)]);
    }
  }
  const lanes = shown.map((lane): LaneView => {
    const { cards: inside, pieces } = sortedCards(lane);
    const behind = lateAndWaiting.get(lane.productionProcessId) ?? [];
    const cards = behind.length === 0 ? inside : [...inside, ...behind].toSorted(byUrgency);
    for (const card of inside.flatMap(partsOf))
      if (card.late) late.add(`${card.salesOrderId}-${card.position}`);
    const waiting = waits.get(lane.productionProcessId) ?? NOTHING;
    const waitingPieces = floor.lines && waiting.pieces;
    return { lane, cards, pieces, waitingPieces, waitingLines: waiting.lines };
  });
  return {
    lanes,
    pieces: lanes.reduce((sum, { pieces }) => sum + pieces, 0),
    lateLines: late.size,
    bottleneck: bottleneckOf(lanes),
  };
}

/** Sort key: 0 for a late card, 1 for a likely late one, 2 for others. */
const urgencyOf = ({ late, likelyLate = false }: Card) => (late ? 0 : likelyLate ? 1 : 2);

const byUrgency = (one: Card, other: Card) => urgencyOf(one) - urgencyOf(other);

interface Sorted {
  cards: readonly InsideCard[];
  pieces: number;
}

/** Cards are sorted once for each lane, because a lane without an event stays the same object. */
const sorted = new WeakMap<Lane, Sorted>();

function sortedCards(lane: Lane): Sorted {
  let found = sorted.get(lane);
  if (found === undefined) {
    found = {
      cards: lane.cards.toSorted(byUrgency),
      pieces: lane.cards.reduce((sum, { pieces }) => sum + pieces, 0),
    };
    sorted.set(lane, found);
  }
  return found;
}

/** The cards shown in one turn, and the number of turns until all cards were shown. */
interface Turn {
  shown: readonly Card[];
  turns: number;
}

/**
 * Choose the cards of a turn if not all fit. Late cards and the newest card, which somebody just
 * moved, always stay if room is left beside them. Else only the newest stays, or none if there is
 * room for only one card. The other cards take turns in the remaining room, and fill it each time.
 */
export function turnOf(cards: readonly Card[], room: number, turn: number): Turn {
  if (cards.length <= room) return { shown: cards, turns: 1 };
  const newest = newestOf(cards);
  const important = cards.filter((card) => card.late || card === newest);
  const staying = important.length < room ? important : room > 1 && newest ? [newest] : [];
  const others = cards.filter((card) => !staying.includes(card));
  const places = room - staying.length;
  const chosen = new Set(staying);
  for (let place = 0; place < places; place += 1)
    chosen.add(others[(turn * places + place) % others.length]!);
  return {
    shown: cards.filter((card) => chosen.has(card)),
    turns: Math.ceil(others.length / places),
  };
}

function newestOf(cards: readonly Card[]): Card | undefined {
  const entered = (card: Card) => (card.since === null ? 0 : Date.parse(card.since));
  return cards.toSorted((one, other) => entered(one) - entered(other)).at(-1);
}

function bottleneckOf(lanes: readonly LaneView[]): Bottleneck | null {
  const slow = lanes.flatMap(({ lane, pieces, waitingPieces }) => {
    if (lane.piecesADay === null || lane.piecesADay === 0) return [];
    const days = (pieces + (waitingPieces ?? 0)) / lane.piecesADay;
    return days > 0 ? [{ name: lane.productionProcessName, days }] : [];
  });
  return slow.toSorted((one, other) => other.days - one.days)[0] ?? null;
}

import { beforeEach, describe, expect, it } from "vitest";
import type { LineDocument, LineEvent, ShopFloor } from "@/contract";
import { BOARD, keyOf } from "@/shared/http/keys";
import { forgetDocuments, take, view } from "@/shared/http/store";
import { aBoard } from "@/testing/floor";
import { someWaiting, aMovement } from "@/testing/lines";
import { floorOf, type Floor } from "./boardView";
import { afterEvent } from "@/live/testing";

type Data = LineDocument;

beforeEach(() => forgetDocuments());

/** The board after an event, as the client shows it. */
const boardAfter = (board: ShopFloor, told: LineEvent) => afterEvent(told, keyOf(BOARD), board);

const after = (...events: LineEvent[]) => floorOf(events.reduce(boardAfter, aBoard()));
const cards = ({ lanes }: Floor) => lanes.map(({ cards: each }) => each.length);
const left = ({ lanes }: Floor) => lanes.map(({ leftToday }) => leftToday);
const event = (id: number, data: Partial<Data> = {}): LineEvent => ({
  ...aMovement({ version: id - 95, ...data }),
  id,
});
const gone = (quantity: number, productionProcessId = 2): Partial<Data> => ({
  inside: [],
  leftToday: [{ productionProcessId, quantity }],
});

describe("the board and one event", () => {
  it("adds a card to its lane, removes it and counts what left", () => {
    const entered = after(event(100));
    expect(cards(entered)).toEqual([1, 0]);
    expect(entered.lanes[0]!.cards[0]).toMatchObject({ pieces: 10, by: "Luis Vega", late: false });
    const now = after(event(100), event(101, gone(10)));
    expect([cards(now), left(now)]).toEqual([
      [0, 0],
      [10, 0],
    ]);
  });

  it("counts nothing twice", () => {
    expect(left(after(event(101, gone(10)), event(101, gone(10))))).toEqual([10, 0]);
  });

  it("does not bring back a card that has left", () => {
    expect(cards(after(event(101, gone(10)), event(100)))).toEqual([0, 0]);
  });

  it("subtracts what a release takes back", () => {
    const released = event(102, { inside: [], leftToday: [] });
    expect(left(after(event(101, gone(10)), released))).toEqual([0, 0]);
  });

  it("shows what waits until it is inside", () => {
    const waiting = [someWaiting()];
    const waits = event(100, { inside: [], waiting });
    expect(after(waits).lines).toMatchObject([{ waiting }]);
    expect(after(waits, event(101)).lines).toMatchObject([{ waiting: [] }]);
  });

  it("keeps lanes that an event does not concern, and cards of other lines", () => {
    const board = view(boardAfter(aBoard(), event(100)));
    const before = floorOf(board);
    const now = floorOf(view(boardAfter(board, event(101, { id: 12, position: 2 }))));
    expect(now.lanes[1]).toBe(before.lanes[1]);
    expect(now.lanes[0]!.cards).toContain(before.lanes[0]!.cards[0]);
    expect(cards(now)).toEqual([2, 0]);
  });
});

/** Pseudo-random numbers, the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

interface Stay {
  recordId: number;
  process: number;
  quantity: number;
  out: boolean;
}

/** A small plant: the answers of its server, and the event of each change. */
class Plant {
  readonly #stays = new Map<number, Stay[]>();
  readonly #versions = new Map<number, number>();
  #events = 99;
  #records = 0;

  act(roll: (sides: number) => number): LineEvent {
    const position = 1 + roll(3);
    const stays = this.#stays.get(position) ?? [];
    const stay = stays[roll(stays.length)];
    const act = roll(4);
    if (stay === undefined || act === 0) {
      this.#records += 1;
      const process = 2 + roll(2);
      stays.push({ recordId: this.#records, process, quantity: 2 + roll(9), out: false });
    } else if (act === 1 && !stay.out) {
      const part = 1 + roll(stay.quantity);
      if (part < stay.quantity) {
        this.#records += 1;
        stays.push({ ...stay, recordId: this.#records, quantity: stay.quantity - part });
      }
      Object.assign(stay, { quantity: part, out: true });
    } else if (act === 2) {
      stay.out = false; // the exit is taken back
    } else {
      stays.splice(stays.indexOf(stay), 1); // entry and exit are taken back
    }
    this.#stays.set(position, stays);
    this.#versions.set(position, (this.#versions.get(position) ?? 0) + 1);
    this.#events += 1;
    return this.#tell(position);
  }

  /** The board as the server answers it now. */
  load(): ShopFloor {
    const lines = [...this.#stays.keys()].map((position) => this.#tell(position).data.line);
    const board = {
      ...aBoard(),
      eventId: this.#events,
      // As the server does, leave out lines without anything on the board.
      lines: lines.filter(({ inside, leftToday }) => inside.length + leftToday.length > 0),
    } as ShopFloor;
    take(board);
    return board;
  }

  #tell(position: number): LineEvent {
    const stays = this.#stays.get(position) ?? [];
    const outs = stays.filter(({ out }) => out);
    const { offers } = aMovement().data.line;
    return {
      ...aMovement({
        id: 10 + position,
        position,
        version: this.#versions.get(position) ?? 0,
        inside: stays
          .filter(({ out }) => !out)
          .map(({ recordId, process, quantity }) => ({
            ...aMovement().data.line.inside[0]!,
            recordId,
            productionProcessId: process,
            quantity,
          })),
        leftToday: [2, 3].flatMap((productionProcessId) => {
          const quantity = outs
            .filter(({ process }) => process === productionProcessId)
            .reduce((sum, stay) => sum + stay.quantity, 0);
          return quantity === 0 ? [] : [{ productionProcessId, quantity }];
        }),
        offers: {
          ...offers,
          out: stays
            .filter(({ out }) => !out)
            .map(({ process, quantity }) => ({
              ...offers.out[0]!,
              productionProcessId: process,
              maxQuantity: quantity,
            })),
        },
      }),
      id: this.#events,
    };
  }
}

/** What a user sees of a board, and what is offered for the lines inside. */
function seen(board: ShopFloor) {
  const { lanes } = floorOf(board);
  return {
    lanes: lanes.map((lane) => ({
      left: lane.leftToday,
      cards: lane.cards
        .map(({ position, recordId, pieces }) => `${position}/${recordId}: ${pieces}`)
        .toSorted(),
    })),
    offers: board.lines
      .filter(({ offers }) => offers.out.length > 0)
      .map(({ position, offers }) => ({ position, offers }))
      .toSorted((one, other) => one.position - other.position),
  };
}

/** Return every event, some of them twice, in any order. */
function shuffled(events: readonly LineEvent[], roll: (sides: number) => number): LineEvent[] {
  const drawn = events.flatMap((each) => (roll(3) === 0 ? [each, each] : [each]));
  return drawn
    .map((each) => ({ each, turn: roll(1_000_000) }))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ each }) => each);
}

describe("the board and many events", () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);

  it.each(seeds)(
    "in any order, some twice, give the same board as loading it again (%i)",
    (seed) => {
      const roll = dice(seed);
      const plant = new Plant();
      const events: LineEvent[] = [];
      const steps = 5 + roll(40);
      const loadedAt = roll(steps);
      let board = plant.load();
      for (let step = 0; step < steps; step += 1) {
        if (step === loadedAt) board = plant.load();
        events.push(plant.act(roll));
      }
      const drawn = view(shuffled(events, roll).reduce(boardAfter, board));
      expect(seen(drawn)).toEqual(seen(plant.load()));
    },
  );

  it("give the same board in order, with reloads in between", () => {
    const roll = dice(7);
    const plant = new Plant();
    let board = plant.load();
    for (let step = 0; step < 300; step += 1) {
      const told = plant.act(roll);
      // An answer may include an event before the socket brings it.
      if (roll(5) === 0) board = plant.load();
      board = boardAfter(board, told);
      expect(seen(board)).toEqual(seen(plant.load()));
    }
  });
});

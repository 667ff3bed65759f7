import { act, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShopFloorCard } from "@/contract";
import type { LiveStatus } from "@/live/LiveProvider";
import { setPlantZone } from "@/shared/format/plant";
import { startI18n } from "@/shared/i18n";
import { aBoard } from "@/testing/floor";
import { aMovement, someWaiting } from "@/testing/lines";
import { arrange, type Arrangement } from "./arrange";
import { Board } from "./Board";
import { turnOf, viewOf, type Floor, type InsideCard, type Lane } from "./boardView";
import { heatOf, lettersInTwo, shortName, timesUsual } from "./cardLook";

let records = 0;

function aCard(overrides: Partial<ShopFloorCard> = {}): ShopFloorCard {
  records += 1;
  return {
    recordId: records,
    salesOrderId: records,
    position: 1,
    customerSalesOrderId: `PO-${records}`,
    customerName: "Platería Norte",
    itemId: 3,
    itemName: "Anillo",
    itemNameEnglish: "",
    image: null,
    pieces: 4,
    quantity: 10,
    since: "2026-03-14T15:00:00Z",
    by: "Luis Vega",
    deliveryDate: "2026-03-20",
    late: false,
    ...overrides,
  };
}

/** A floor with these cards in its first and second lane. */
function floorOf(first: ShopFloorCard[], second: ShopFloorCard[] = []) {
  const [one, other] = aBoard().lanes;
  const lanes: [Lane, Lane] = [
    { ...one!, cards: first, leftToday: 0 },
    { ...other!, cards: second, leftToday: 0 },
  ];
  return { lanes, lines: [] } satisfies Floor;
}

const aLine = (waiting: [number, number][], late = false) => {
  records += 1;
  return {
    ...aMovement().data.line,
    id: records,
    salesOrderId: records,
    late,
    waiting: waiting.map(([productionProcessId, quantity]) =>
      someWaiting({ productionProcessId, quantity }),
    ),
  };
};

describe("what the board shows", () => {
  it("puts late cards first and keeps the order of the others", () => {
    const [old, newer, late] = [aCard(), aCard(), aCard({ late: true })];
    const [lane] = viewOf(floorOf([old, newer, late])).lanes;
    expect(lane!.cards).toEqual([late, old, newer]);
  });

  it("sums what waits for each process, and counts a late line once", () => {
    const card = aCard({ late: true });
    const twice = { ...aLine([[2, 3]], true), salesOrderId: card.salesOrderId };
    const lines = [twice, aLine([[2, 5]], true), aLine([[3, 1]])];
    const view = viewOf({ ...floorOf([card]), lines });
    expect(view.lanes.map((lane) => [lane.waitingPieces, lane.waitingLines])).toEqual([
      [8, 2],
      [1, 1],
    ]);
    expect([view.pieces, view.lateLines]).toEqual([4, 2]);
  });

  it("shows late lines that wait as cards behind the late ones inside, and counts their pieces as waiting", () => {
    const [calm, late] = [aCard(), aCard({ late: true })];
    const waiting = aLine([[2, 3]], true);
    const [lane] = viewOf({ ...floorOf([calm, late]), lines: [waiting, aLine([[2, 5]])] }).lanes;
    expect(lane!.cards.map(({ recordId }) => recordId)).toEqual([
      late.recordId,
      -waiting.id,
      calm.recordId,
    ]);
    expect([lane!.pieces, lane!.waitingPieces]).toEqual([8, 8]);
  });

  it("names the process with the most days of work as bottleneck, not the one with the most pieces", () => {
    const floor = floorOf([aCard({ pieces: 100 })], [aCard({ pieces: 20 })]);
    floor.lanes[1].piecesADay = 4;
    expect(viewOf(floor).bottleneck).toEqual({ name: "Lijado", days: 5 });
    expect(viewOf(floorOf([])).bottleneck).toBeNull();
  });

  it("shows only the chosen processes, and does not count the others", () => {
    const floor = floorOf([aCard({ late: true })], [aCard()]);
    const view = viewOf(floor, [3]);
    expect(view.lanes.map(({ lane }) => lane.productionProcessName)).toEqual(["Lijado"]);
    expect([view.pieces, view.lateLines]).toEqual([4, 0]);
  });

  it("compares the age of a card with the usual time of its process", () => {
    const heat = (minutes: number) => heatOf(timesUsual(minutes, 3_600));
    expect([heat(59), heat(60), heat(120), heat(240)]).toEqual([0, 1, 2, 3]);
    expect(heatOf(timesUsual(9_999, null))).toBe(0);
  });
});

describe("the cards of a turn", () => {
  const at = (minute: number, overrides: Partial<ShopFloorCard> = {}) =>
    aCard({ since: `2026-03-14T15:${minute}:00Z`, ...overrides });
  const [late, old, newer, newest] = [at(50, { late: true }), at(10), at(20), at(59)];
  const older = [at(11), at(12), at(13)];

  it("always has the late ones and the one that was just moved, in their order", () => {
    const cards = [late, old, ...older, newer, newest];
    for (let turn = 0; turn < 9; turn += 1) {
      const { shown } = turnOf(cards, 4, turn);
      expect([shown[0], shown.at(-1)]).toEqual([late, newest]);
      expect(shown).toEqual(cards.filter((card) => shown.includes(card)));
    }
  });

  it("fills its room each time, and shows every card within its turns", () => {
    const cards = [late, old, ...older, newer, newest];
    const { turns } = turnOf(cards, 4, 0);
    const all = Array.from({ length: turns }, (_, turn) => turnOf(cards, 4, turn).shown);
    expect(all.map(({ length }) => length)).toEqual(Array(turns).fill(4));
    expect(new Set(all.flat())).toEqual(new Set(cards));
  });

  it("turns the late ones too where they do not fit, and a single place", () => {
    const cards = [late, at(51, { late: true }), at(52, { late: true }), newest];
    for (const room of [1, 2, 3]) {
      const { turns } = turnOf(cards, room, 0);
      const all = Array.from({ length: turns }, (_, turn) => turnOf(cards, room, turn).shown);
      expect(new Set(all.flat())).toEqual(new Set(cards));
      expect(all.every(({ length }) => length === room)).toBe(true);
    }
  });

  it("is all cards where they fit", () => {
    expect(turnOf([late, old], 2, 7)).toEqual({ shown: [late, old], turns: 1 });
  });
});

describe("how lanes share a wall", () => {
  const FULL_HD = { width: 176, height: 90 };
  const columns = ({ bands }: Arrangement) => bands.flat().map((place) => place.columns);

  it("gives each lane columns for its load, and an empty one a strip", () => {
    const found = arrange([30, 2, 0, 8], FULL_HD);
    expect(found.scale).toBe(1);
    const [busy, calm, empty] = columns(found);
    expect(empty).toBe(0);
    expect(busy).toBeGreaterThan(calm!);
  });

  it("keeps the lanes in their order and shows all of them", () => {
    const found = arrange([1, 5, 0, 9, 2, 2, 40, 3, 0, 1, 1, 6], FULL_HD);
    expect(found.bands.flat().map(({ lane }) => lane)).toEqual([...Array(12).keys()]);
    expect(found.rows).toBeGreaterThan(0);
  });

  it("hides equally many cards of each lane if not all fit", () => {
    const loads = [7, 7, 3, 4, 1, 2, 6, 0];
    const found = arrange(loads, FULL_HD);
    const hidden = columns(found).map((width, lane) =>
      Math.max(0, loads[lane]! - width * found.rows),
    );
    expect(hidden.reduce((sum, count) => sum + count)).toBe(15);
    expect(Math.max(...hidden)).toBe(3);
  });

  it("shows all cards if they fit, in a larger size", () => {
    const found = arrange([2, 1, 1], FULL_HD);
    const room = columns(found).map((width) => width * found.rows);
    expect(room[0]).toBeGreaterThanOrEqual(2);
    expect(found.bands[0]!.reduce((sum, place) => sum + place.columns, 0)).toBeLessThanOrEqual(3);
  });

  it("shrinks if there are too many lanes", () => {
    expect(arrange(Array<number>(40).fill(3), { width: 160, height: 80 }).scale).toBeLessThan(1);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    "never needs more columns than a band has room for (%i)",
    (seed) => {
      const loads = Array.from({ length: 1 + (seed % 14) }, (_, lane) => ((seed + lane) * 37) % 23);
      const { bands, scale } = arrange(loads, { width: 140 + seed, height: 70 + seed });
      for (const band of bands) {
        const strips = band.filter((place) => place.columns === 0).length;
        const wide = band.reduce((sum, place) => sum + place.columns, 0);
        expect((wide * 43 + strips * 5.6) * scale).toBeLessThanOrEqual(140 + seed + 1);
      }
    },
  );
});

describe("a board that lost the server", () => {
  const LIVE: LiveStatus = {
    state: "live",
    lastEventAt: Date.parse("2026-03-14T15:29:00Z"),
    liveUntil: null,
  };

  function shown(live: LiveStatus | null, floor: Floor) {
    return (
      <MemoryRouter>
        <Board floor={floor} live={live} />
      </MemoryRouter>
    );
  }
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  const ages = () => within(screen.getByRole("region", { name: "Vaciado" })).getByText(/^\d+ min$/);

  beforeAll(() => startI18n());

  beforeEach(() => {
    setPlantZone("America/Mexico_City");
    vi.useFakeTimers({ now: Date.parse("2026-03-14T15:30:00Z") });
    return () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    };
  });

  it("warns with the time of its data, and its ages stop", async () => {
    const floor = floorOf([aCard()]);
    const { rerender } = render(shown(LIVE, floor));
    await pass(10_000);
    expect(screen.queryByRole("alert")).toBeNull();
    rerender(shown({ ...LIVE, state: "reconnecting" }, floor));
    await pass(3_000);
    expect(screen.getByRole("alert").textContent).toBe("Sin conexión: datos de las 09:30");
    await pass(600_000);
    expect(ages().textContent).toBe("30 min");
    expect(screen.getByRole("alert").textContent).toBe("Sin conexión: datos de las 09:30");
    rerender(shown(LIVE, floor));
    await pass(20_000);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(ages().textContent).toBe("40 min");
  });

  it("does not warn if the connection is back at once", async () => {
    const floor = floorOf([aCard()]);
    const { rerender } = render(shown(LIVE, floor));
    rerender(shown({ ...LIVE, state: "reconnecting" }, floor));
    await pass(500);
    rerender(shown(LIVE, floor));
    await pass(10_000);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows the time of data that a poll loaded", async () => {
    const floor = floorOf([aCard()]);
    const { rerender } = render(shown({ ...LIVE, state: "polling" }, floor));
    await pass(600_000);
    rerender(shown({ ...LIVE, state: "polling" }, { ...floor }));
    await pass(3_000);
    expect(screen.getByRole("alert").textContent).toBe("Sin conexión: datos de las 09:40");
  });

  it("shows ages in one unit, and says what the multiple beside them means", async () => {
    const since = [
      "2026-03-14T14:31:00Z",
      "2026-03-14T14:30:00Z",
      "2026-03-12T15:31:00Z",
      "2026-03-12T15:30:00Z",
    ];
    const { lanes, ...floor } = floorOf(since.map((at) => aCard({ since: at })));
    render(
      shown(LIVE, { ...floor, lanes: lanes.map((lane) => ({ ...lane, usualSeconds: 3_600 })) }),
    );
    const written = screen.getAllByText(/^\d+ (min|h|d)$/).map(({ textContent }) => textContent);
    expect(written).toEqual(["59 min", "1 h", "47 h", "2 d"]);
    expect(screen.getByRole("img", { name: "47 veces lo habitual en este proceso" })).toBeDefined();
  });

  it("says at a card what is so with its line, as every screen does", () => {
    const { line } = aMovement().data;
    const standing = { ...line.standing, kind: "inside" as const, lateDays: 2 };
    const card: InsideCard = { ...aCard(), line: { ...line, standing } };
    render(
      <MemoryRouter>
        <Board floor={floorOf([card])} live={LIVE} opens />
      </MemoryRouter>,
    );
    const link = screen.getByRole("link", { name: card.customerSalesOrderId });
    expect(link.title).toMatch(/^10 en Vaciado con Luis Vega desde hace .+, 2 días tarde$/);
  });

  it("is never out of date in a replay", async () => {
    render(shown(null, floorOf([aCard()])));
    await pass(60_000);
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("names on the board", () => {
  it.each([
    ["Tomás Aguilar Reyes", "Tomás A."],
    ["Ángela Ávila", "Ángela Á."],
    ["Prensa", "Prensa"],
    ["", ""],
  ])("%s is shortened to %s", (whole, short) => expect(shortName(whole)).toBe(short));

  it.each([
    ["Control de calidad", 10],
    ["Grabado láser", 7],
    ["Esmerilado", 10],
    ["Inyección de cera", 9],
  ])("%s has %i letters in the longer of two lines", (name, letters) =>
    expect(lettersInTwo(name)).toBe(letters),
  );
});

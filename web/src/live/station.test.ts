import { beforeEach, describe, expect, it } from "vitest";
import type { LineDocument } from "@/contract";
import { aMovement, aRecord, aStation, someInside } from "@/testing/lines";
import { concernsStation, patchRecent, patchStation } from "./station";

let position = 0;
const casting = { productionProcessId: 2, productionProcessName: "Vaciado" };

// Each test has a line of its own: what was drawn of a line is remembered.
beforeEach(() => {
  position += 1;
});

function document(change: Partial<LineDocument> = {}): LineDocument {
  return { ...aMovement().data.line, position, ...change };
}

const waiting = (change: Partial<LineDocument> = {}) =>
  document({
    inside: [],
    offers: {
      statuses: [],
      in: [{ ...casting, maxQuantity: 10 }],
      out: [],
      release: [],
      edit: true,
    },
    ...change,
  });

describe("a station and one event", () => {
  it("moves a line from what waits to what is inside", () => {
    const before = patchStation(aStation(), waiting({ version: 5 }));
    expect(before.queue.map((row) => row.position)).toEqual([position]);
    const after = patchStation(before, document({ version: 6, inside: [someInside()] }));
    expect(after.queue).toEqual([]);
    expect(after.inside.map(({ pieces }) => pieces)).toEqual([10]);
  });

  it("draws nothing that is older than what it shows", () => {
    const now = patchStation(aStation(), document({ version: 8, inside: [] }));
    expect(patchStation(now, document({ version: 7 }))).toBe(now);
  });

  it("puts what may enter where it is due", () => {
    const due = (deliveryDate: string | null, at: number) =>
      waiting({ deliveryDate, position: position * 1_000 + at });
    const dates = ["2026-03-20", "2026-03-10", null, "2026-03-15"];
    const found = dates.reduce((kept, date, at) => patchStation(kept, due(date, at)), aStation());
    expect(found.queue.map(({ deliveryDate }) => deliveryDate)).toEqual([
      "2026-03-10",
      "2026-03-15",
      "2026-03-20",
      null,
    ]);
  });

  it("lets nothing wait for a process that is inactive", () => {
    const station = aStation({ process: { ...casting, active: false } });
    expect(patchStation(station, waiting()).queue).toEqual([]);
  });

  it("is not concerned by a line that is neither here nor may come", () => {
    const elsewhere = document({
      inside: [someInside({ productionProcessId: 3 })],
      offers: { statuses: [], in: [], out: [], release: [], edit: true },
    });
    expect(concernsStation(aStation(), elsewhere)).toBe(false);
    expect(concernsStation(aStation(), waiting())).toBe(true);
    expect(concernsStation(patchStation(aStation(), waiting()), elsewhere)).toBe(true);
  });

  it("names the last movement once, and whose it is", () => {
    const event = aMovement({}, { record: aRecord(), records: [aRecord()] });
    const once = patchRecent(aStation(), event);
    expect(once.recent).toMatchObject([{ type: "in", pieces: 10, byId: 8, recordId: 500 }]);
    expect(patchRecent(once, event).recent).toHaveLength(1);
    const other = aStation({
      process: { productionProcessId: 3, productionProcessName: "Lijado", active: true },
    });
    expect(patchRecent(other, event)).toBe(other);
  });
});

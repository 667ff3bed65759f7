// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { ErrorBody, ProcessRecord } from "@/contract";
import { aRecord } from "@/testing/lines";
import {
  areWrong,
  draftOf,
  expectedLoss,
  gramsThatEntered,
  isOver,
  isWeightRefusal,
  lossOfExit,
  missingAtEntry,
  netOf,
  NO_WEIGHTS,
  weightRefusal,
  weightsOf,
  type Exit,
} from "./weights";

const HERE = 2;
const record = (change: Partial<ProcessRecord>): ProcessRecord => ({
  ...aRecord(),
  gramsIn: 100,
  allowedLoss: 20,
  ...change,
});
const closed = { outputDate: "2026-03-14T16:00:00Z", gramsOut: 98, lossGrams: 2, lossPerMille: 20 };

describe("the weights of a movement", () => {
  it("are sent if they were given, those of the other direction never", () => {
    const typed = { ...NO_WEIGHTS, grams: 12.5, scrapGrams: 1, weightReason: " Soldadura " };
    expect(weightsOf(typed, "out")).toEqual({
      grams: 12.5,
      scrapGrams: 1,
      weightReason: "Soldadura",
    });
    expect(weightsOf(typed, "in")).toEqual({ grams: 12.5, weightReason: "Soldadura" });
    expect(weightsOf(NO_WEIGHTS, "out")).toEqual({});
    expect(weightsOf({ ...NO_WEIGHTS, weightReason: "Soldadura" }, "out")).toEqual({});
  });

  it("name the tray and the alloy of what was added, and the loss is without the tray", () => {
    const tray = { id: 4, code: "CH-1", grams: 12.5 };
    const typed = { ...NO_WEIGHTS, grams: 62.5, addedGrams: 1, addedAlloyId: 7, tray };
    const sent = { grams: 62.5, addedGrams: 1, addedAlloyId: 7, trayId: 4 };
    expect(weightsOf(typed, "out")).toEqual(sent);
    expect(netOf(typed, "out").grams).toBe(50);
    expect(draftOf(sent, [tray])).toEqual(typed);
    expect(draftOf(sent, [])).toEqual({ ...typed, grams: null, tray: null });
    expect(weightsOf({ ...typed, addedGrams: null }, "out")).toEqual({ grams: 62.5, trayId: 4 });
    expect(weightsOf({ ...NO_WEIGHTS, tray }, "in")).toEqual({});
  });

  it("come back as they were typed", () => {
    const sent = { grams: 12.5, otherGrams: 0.5, weightReason: "Piedras" };
    expect(weightsOf(draftOf(sent), "out")).toEqual(sent);
    expect(draftOf()).toEqual(NO_WEIGHTS);
  });

  it("are wrong if the process asks for grams, or others stand without them", () => {
    expect(areWrong(NO_WEIGHTS, "out", false)).toBe(false);
    expect(areWrong(NO_WEIGHTS, "out", true)).toBe(true);
    expect(areWrong({ ...NO_WEIGHTS, scrapGrams: 1 }, "out", false)).toBe(true);
    expect(areWrong({ ...NO_WEIGHTS, scrapGrams: 1 }, "in", false)).toBe(false);
    expect(areWrong({ ...NO_WEIGHTS, grams: "12 oz" }, "out", false)).toBe(true);
    expect(areWrong({ ...NO_WEIGHTS, grams: 12, otherGrams: "-1" }, "out", true)).toBe(true);
    expect(areWrong({ ...NO_WEIGHTS, grams: 0 }, "out", false)).toBe(true);
    expect(areWrong({ ...NO_WEIGHTS, grams: 12, scrapGrams: 0 }, "out", true)).toBe(false);
  });
});

const ME = 7;
const exit = (pieces: number, part?: Exit["part"]): Exit => ({
  processId: HERE,
  pieces,
  by: ME,
  part,
});

describe("what leaves", () => {
  // Guadalupe brought 5 pieces in first. By the rule of the books the user's own 5 leave.
  const rows = [
    record({ id: 2, quantity: 5, gramsIn: 21.257, inputById: ME }),
    record({ id: 1, quantity: 5, gramsIn: 21.1, inputDate: "2026-03-13T15:00:00Z" }),
  ];

  it("is first what the same user brought in, then the oldest of others", () => {
    expect(gramsThatEntered(rows, exit(5))).toBe(21.257);
    expect(gramsThatEntered(rows, { ...exit(5), by: 9 })).toBe(21.1);
    expect(gramsThatEntered(rows, exit(10))).toBe(42.357);
    expect(expectedLoss(rows, exit(5), { grams: 20.7 })?.grams).toBe(0.557);
  });

  it("has its share in whole milligrams, of which half of one stays", () => {
    expect(gramsThatEntered(rows, exit(2))).toBe(8.503);
    expect(gramsThatEntered([record({ quantity: 2, gramsIn: 0.003 })], exit(1))).toBe(0.001);
  });
});

describe("the loss that an exit will have", () => {
  const loss = (records: ProcessRecord[], quantity: number, weights = {}) =>
    expectedLoss(records, exit(quantity), { grams: 98.2, ...weights });

  it("is what entered and was added, less what leaves and is scrap", () => {
    expect(loss([record({})], 10)).toEqual({ grams: 1.8, came: 100, perMille: 18, allowed: 20 });
    expect(loss([record({})], 10, { scrapGrams: 1 })?.grams).toBe(0.8);
    expect(loss([record({})], 10, { addedGrams: 0.5 })?.grams).toBe(2.3);
    expect(loss([record({})], 10, { grams: 103, otherGrams: 5 })?.grams).toBe(2);
  });

  it("takes the oldest entries first, and of a part its share by pieces", () => {
    const old = record({ id: 1, inputDate: "2026-03-13T15:00:00Z", gramsIn: 40, quantity: 4 });
    const records = [record({ id: 2 }), old];
    expect(loss(records, 4, { grams: 39 })).toMatchObject({ grams: 1, perMille: 25, allowed: 20 });
    expect(loss(records, 9, { grams: 89 })).toMatchObject({
      grams: 1,
      perMille: 11.1,
      allowed: 20,
    });
  });

  it("is that of all pieces, if some are scrapped: these lose nothing unless they are weighed", () => {
    const rows = [record({ quantity: 5, gramsIn: 21.1 })];
    const lost = (weight: Partial<Exit["part"]>) =>
      expectedLoss(rows, exit(5, { quantity: 1, ...weight }), { grams: 16.311 })?.grams;
    expect(lost({})).toBe(0.569);
    expect(lost({ grams: 4.146 })).toBe(0.643);
    expect(lost({ grams: 4.246, otherGrams: 0.1 })).toBe(0.643);
    expect(gramsThatEntered(rows, exit(5, { quantity: 1 }))).toBe(21.1);
  });

  it.each([
    ["the entry was not weighed", [record({ gramsIn: null })], 10, 98],
    ["it leaves heavier than it entered", [record({})], 10, 101],
    ["the pieces are not known to be inside", [record(closed)], 10, 98],
    ["more leaves than is known to be inside", [record({})], 11, 98],
    ["the entry was released", [record({ released: true })], 10, 98],
    ["they are in another process", [record({ productionProcessId: 3 })], 10, 98],
    ["the history is hidden", [], 10, 98],
  ])("is unknown if %s", (_, records, quantity, grams) => {
    expect(loss(records, quantity, { grams })).toBeNull();
  });

  it("is unknown before the weight is typed", () => {
    expect(expectedLoss([record({})], exit(10), {})).toBeNull();
  });
});

describe("the loss of an exit", () => {
  it("is that of the last exit from the process, with all entries that it closed", () => {
    const earlier = { ...closed, outputDate: "2026-03-14T15:30:00Z", lossGrams: 50 };
    const rows = [
      record({ ...closed, id: 1 }),
      record({ ...closed, id: 2, gramsIn: 49, gramsAdded: 1, lossGrams: 0.7 }),
      record({ ...earlier, id: 3 }),
      record({ ...closed, id: 4, productionProcessId: 3, lossGrams: 9 }),
      record({ ...closed, id: 5, released: true, lossGrams: 9 }),
    ];
    expect(lossOfExit(rows, HERE)).toMatchObject({ grams: 2.7, perMille: 18, allowed: 20 });
  });

  it("is with that of pieces that were scrapped by the same press", () => {
    const scrap = { ...closed, id: 9, scrapReason: "Rota", gramsOut: null };
    const weighed = record({ ...scrap, gramsIn: 4.22, lossGrams: 0.074 });
    expect(lossOfExit([record(closed), weighed], HERE)?.grams).toBe(2.074);
    const other = { ...weighed, press: "another press" };
    expect(lossOfExit([record(closed), other], HERE)?.grams).toBe(2);
    const unweighed = record({ ...scrap, gramsIn: null, lossGrams: null });
    expect(lossOfExit([record(closed), unweighed], HERE)?.grams).toBe(2);
  });

  it("is unknown if it was not weighed, or the history is hidden", () => {
    const unweighed = record({ ...closed, gramsOut: null, lossGrams: null });
    expect(lossOfExit([unweighed], HERE)).toBeNull();
    expect(lossOfExit([], HERE)).toBeNull();
  });

  it.each([
    [1, 20, false],
    [1.001, 20, true],
    [0.001, 0, true],
    [49, null, false],
  ])("of %s g of 50 g with an allowance of %s ‰ is over it: %s", (grams, allowed, over) => {
    expect(isOver({ grams, came: 50, allowed })).toBe(over);
    expect(isOver({ grams, came: 0, allowed })).toBe(false);
  });
});

describe("a refused weight", () => {
  const error = (code: string, fields: string[] = []): ErrorBody => ({
    code,
    message: "Falta el peso",
    params: {},
    errors: fields.map((field) => ({ field, code: "wrong", message: `Mal: ${field}` })),
  });

  it("is known by its code, or by its field", () => {
    expect(weightRefusal(error("grams_required"))?.message).toBe("Falta el peso");
    expect(weightRefusal(error("grams_heavier"))?.code).toBe("grams_heavier");
    const atField = weightRefusal(error("invalid", ["quantity", "otherGrams"]));
    expect(atField).toEqual({ code: "grams_refused", message: "Mal: otherGrams" });
    expect(weightRefusal(error("invalid", ["quantity"]))).toBeNull();
    expect(weightRefusal(error("not_enough_pieces"))).toBeNull();
    expect(["grams_refused", "not_inside"].map(isWeightRefusal)).toEqual([true, false]);
  });
});

describe("what was missing at an entry", () => {
  it("is that of the last entry that stands", () => {
    const earlier = record({ id: 1, productionProcessId: HERE, gramsBetween: 9 });
    const last = { id: 2, productionProcessId: HERE, inputDate: "2026-03-14T17:00:00Z" };
    const released = record({
      ...last,
      id: 3,
      inputDate: "2026-03-14T18:00:00Z",
      released: true,
      gramsBetween: 5,
    });
    expect(missingAtEntry([record({ ...last, gramsBetween: 4 }), released, earlier], HERE)).toBe(4);
    expect(missingAtEntry([record({ ...last, gramsBetween: null }), earlier], HERE)).toBeNull();
    expect(missingAtEntry([earlier], 9)).toBeNull();
  });
});

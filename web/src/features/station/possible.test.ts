import { beforeEach, describe, expect, it } from "vitest";
import type { StationScan } from "@/contract";
import { forgetDocuments, put } from "@/shared/http/store";
import { aBatchCard } from "@/testing/batches";
import { aStation } from "@/testing/floor";
import { holdProcesses } from "@/entities/processes";
import { aLine, PLANT, someInside, someWaiting } from "@/testing/lines";
import { weighsAt, weighsMost, withoutBatched, workAt, workOfScan } from "./possible";
import { aMovement } from "./queue/aPress";

const HERE = 2;
const here = { productionProcessId: HERE, productionProcessName: "Vaciado" };
const offers = (most: number) => ({
  ...aLine().offers,
  in: [{ maxQuantity: most, productionProcessIds: [HERE] }],
});

const aScan = (version: number): StationScan =>
  ({ line: aLine({ version }), direction: "in", maxIn: 6, maxOut: 0, why: null }) as StationScan;

beforeEach(() => {
  forgetDocuments();
  holdProcesses(PLANT);
});

describe("a scanned line that the station's lists lack", () => {
  it("moves what the server said, however long the queue is", () => {
    const work = workOfScan(aScan(7), null, HERE);
    expect(work).toMatchObject({ maxIn: 6, ready: 0, maxOut: 0, waits: false });
  });

  it("moves nothing once others have changed it", () => {
    const scan = aScan(8);
    put([aLine({ version: 9 })]);
    expect(workOfScan(scan, null, HERE)).toMatchObject({ maxIn: 0, maxOut: 0 });
  });
});

it("a line weighs as the process says, and not at all without an alloy", () => {
  const [first, second] = [PLANT[0]!, PLANT[1]!];
  holdProcesses([
    { ...first, weighs: "required" },
    { ...second, weighs: "optional" },
  ]);
  const line = aLine({ weighed: true });
  expect([HERE, 3, 4].map((id) => weighsAt(line, id))).toEqual(["required", "optional", "no"]);
  expect(weighsAt(aLine(), HERE)).toBe("no");
  const station = aStation({ inside: [{ ...line, inside: [someInside()] }] });
  expect(workAt(station, []).get("1-1")?.weighs).toBe("required");
  expect(workAt(aStation({ queue: [aLine()] }), []).get("1-1")?.weighs).toBe("no");
  expect(weighsMost("no", "optional", "required", "no")).toBe("required");
  expect(weighsMost("no", "no")).toBe("no");
});

describe("a line with pieces inside two processes, here among them, and waiting for two others", () => {
  // Of 10 pieces, 2 are inside here, 3 inside Lijado, 4 wait to come here and 1 waits for Engaste.
  const line = aLine({
    notes: "Grabar iniciales",
    inside: [someInside({ quantity: 2 }), someInside({ quantity: 3, productionProcessId: 3 })],
    waiting: [someWaiting({ quantity: 4 }), someWaiting({ quantity: 1, productionProcessId: 4 })],
    offers: offers(5),
  });
  const station = aStation({ inside: [line], queue: [line] });

  it("counts what is here, what waits here and what may enter, each once", () => {
    const work = workAt(station, []).get("1-1");
    expect(work).toMatchObject({ maxOut: 2, ready: 4, maxIn: 5, notes: "Grabar iniciales" });
  });

  it("has fewer pieces inside once some were scrapped, and no more to bring in", () => {
    const lost = { reason: "broken", photo: null };
    const scrapped = aMovement({ type: "scrap", scrap: lost, ...here, quantity: 1 });
    const work = workAt(station, [scrapped]).get("1-1");
    expect(work).toMatchObject({ maxOut: 1, ready: 4, maxIn: 5, waits: true });
  });

  it("waits no longer here once its pieces were brought in, though others may still enter", () => {
    const entered = aMovement({ type: "in", ...here, quantity: 4 });
    const work = workAt(station, [entered]).get("1-1");
    expect(work).toMatchObject({ maxOut: 6, ready: 0, maxIn: 1, waits: true });
  });
});

describe("the rows of the lists beside the cards of batches", () => {
  const line = aLine({
    inside: [someInside({ quantity: 8 })],
    waiting: [someWaiting({ quantity: 4 })],
    offers: offers(5),
  });
  const rows = [...workAt(aStation({ inside: [line], queue: [line] }), []).values()];

  it("have no pieces that a batch stands for, inside or waiting", () => {
    const [inside] = withoutBatched(rows, [aBatchCard()]);
    expect(inside).toMatchObject({ maxOut: 2, ready: 4, maxIn: 5 });
    const [waiting] = withoutBatched(rows, [aBatchCard({ state: "open" })]);
    expect(waiting).toMatchObject({ maxOut: 8, ready: 0, maxIn: 0 });
  });

  it("stay the same objects without a batch of theirs", () => {
    expect(withoutBatched(rows, [aBatchCard({ state: "out" })])[0]).toBe(rows[0]);
  });
});

// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aRecord } from "@/testing/lines";
import { piecesByProcess, processChip } from "./pieces";

describe("pieces by process", () => {
  it("adds what is inside and what is through, with the oldest open entry", () => {
    const left = { outputDate: "2026-03-14T14:00:00Z" };
    const productionProcesses = [
      { ...aRecord(), id: 3, quantity: 4, inputDate: "2026-03-14T16:00:00Z", inputUsername: "Eva" },
      { ...aRecord(), id: 2, quantity: 6 },
      { ...aRecord(), id: 1, quantity: 5, inputDate: "2026-03-14T09:00:00Z", ...left },
    ];
    expect(piecesByProcess({ productionProcesses })).toEqual([
      {
        productionProcessId: 2,
        productionProcessName: "Vaciado",
        inside: 10,
        since: "2026-03-14T15:00:00Z",
        by: "Luis Vega",
        completed: 5,
      },
    ]);
  });

  it("forgets released records", () => {
    const released = { ...aRecord(), deletedDate: "2026-03-14T17:00:00Z", released: true };
    expect(piecesByProcess({ productionProcesses: [released] })).toEqual([]);
  });
});

describe("the process chip", () => {
  const process = { productionProcessId: 2, productionProcessName: "Vaciado" };
  it.each([
    [process, process, { kind: "out", process: "Vaciado" }],
    [null, process, { kind: "in", process: "Vaciado" }],
    [null, null, { kind: "none" }],
  ])("of current %j and last %j is %j", (current, last, chip) => {
    expect(processChip({ currentProductionProcess: current, lastProductionProcess: last })).toEqual(
      chip,
    );
  });
});

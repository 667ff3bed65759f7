import { describe, expect, it } from "vitest";
import { aLine, aRecord, someInside } from "@/testing/lines";
import { piecesByProcess, processChip } from "./pieces";

const LEFT = { outputDate: "2026-03-14T14:00:00Z" };

describe("pieces by process", () => {
  it("adds the pieces inside and the pieces through, with the oldest open entry", () => {
    const inside = [
      someInside({ quantity: 6 }),
      someInside({ quantity: 4, since: "2026-03-14T16:00:00Z", by: "Eva" }),
    ];
    const productionProcesses = [
      { ...aRecord(), id: 3, quantity: 4, inputDate: "2026-03-14T16:00:00Z", inputUsername: "Eva" },
      { ...aRecord(), id: 2, quantity: 6 },
      { ...aRecord(), id: 1, quantity: 5, inputDate: "2026-03-14T09:00:00Z", ...LEFT },
    ];
    expect(piecesByProcess({ inside, productionProcesses })).toEqual([
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

  it("knows what is inside without the history, and has no name if none is given", () => {
    const inside = [someInside({ quantity: 6, by: "" })];
    expect(piecesByProcess({ inside, productionProcesses: [] })).toEqual([
      {
        productionProcessId: 2,
        productionProcessName: "",
        inside: 6,
        since: "2026-03-14T15:00:00Z",
        by: null,
        completed: 0,
      },
    ]);
  });

  it("keeps the processes in the order of their first entry", () => {
    const first = { ...aRecord(), productionProcessId: 3, productionProcessName: "Lijado" };
    const productionProcesses = [
      aRecord(),
      { ...first, id: 1, inputDate: "2026-03-14T09:00:00Z", ...LEFT },
    ];
    const found = piecesByProcess({ inside: [someInside()], productionProcesses });
    expect(found.map((process) => process.productionProcessName)).toEqual(["Lijado", "Vaciado"]);
  });

  it("ignores released records", () => {
    const released = { ...aRecord(), deletedDate: "2026-03-14T17:00:00Z", released: true };
    expect(piecesByProcess({ inside: [], productionProcesses: [released] })).toEqual([]);
  });
});

describe("the process chip", () => {
  const process = { productionProcessId: 2, productionProcessName: "Vaciado" };
  const enters = [{ maxQuantity: 3, productionProcessIds: null }];
  const left = [...enters, { maxQuantity: 0, productionProcessIds: [2] }];
  it.each([
    ["InProcess", process, process, enters, { kind: "out", process: "Vaciado" }],
    ["InProcess", null, process, enters, { kind: "in", process: "Vaciado" }],
    ["Approved", null, null, enters, { kind: "none" }],
    // All pieces have left the last process.
    ["InProcess", null, process, left, null],
    ["Done", null, process, [], null],
    ["Canceled", null, null, [], null],
  ] as const)(
    "of a line %s with current %j and last %j is right",
    (status, current, last, offered, chip) => {
      const line = aLine({
        status,
        currentProductionProcess: current,
        lastProductionProcess: last,
        offers: {
          ...aLine().offers,
          in: offered.map((one) => ({
            ...one,
            productionProcessIds: one.productionProcessIds && [...one.productionProcessIds],
          })),
        },
      });
      expect(processChip(line)).toEqual(chip);
    },
  );
});

import { beforeEach, describe, expect, it } from "vitest";
import type { Permission } from "@/contract";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine, aMovement, anOrder, anUndo, aRecord, aSummary } from "@/testing/lines";
import { patchHistory, patchLine, patchOrder, patchOrderRows } from "./documents";

describe("a line's event", () => {
  it("draws what it says into the line and keeps the rest", () => {
    const line = patchLine(aLine({ measures: "10 mm" }), aMovement());
    expect(line).toMatchObject({ status: "InProcess", quantityInside: 10, measures: "10 mm" });
  });

  it("draws what is inside for everybody, and records for who may read the history", () => {
    const nothing = { statuses: [], movements: [], release: [], undo: [], edit: false };
    const moved = aMovement({}, { records: [aRecord()] });
    const patchedFor = (...permissions: Permission[]) => {
      storeSession(aSession({ permissions }));
      return patchLine(aLine({ actions: { ...nothing, history: permissions.length > 0 } }), moved);
    };
    const [read, unread] = [patchedFor("SalesOrderPositionRecord"), patchedFor()];
    const { inside } = moved.data.line;
    expect([read.inside, unread.inside]).toEqual([inside, inside]);
    expect([read.productionProcesses, unread.productionProcesses]).toEqual([[aRecord()], []]);
  });

  it("changes nothing where the data is already newer", () => {
    const line = aLine({ version: 6 });
    expect(patchLine(line, aMovement())).toBe(line);
  });

  it("gives the order its status, unless the order is newer", () => {
    const order = anOrder({ version: 2 });
    expect(patchOrder(order, aMovement()).status).toBe("InProcess");
    const newer = { ...order, version: 3, items: [aLine({ version: 6 })] };
    expect(patchOrder(newer, aMovement())).toBe(newer);
  });
});

describe("what may be done after a line's event", () => {
  beforeEach(() => {
    storeSession(
      aSession({
        user: { ...aSession().user, productionProcessIds: [2] },
        permissions: ["SalesOrderPositionProcessOut", "UpdateSalesOrderPositionStatus"],
      }),
    );
  });

  it("is what it offers, by the person's rights and processes", () => {
    const { actions } = patchLine(aLine(), aMovement());
    expect(actions.statuses).toEqual(["Canceled"]);
    expect(actions.movements.map(({ type, maxQuantity }) => [type, maxQuantity])).toEqual([
      ["out", 10],
    ]);
    expect(actions.edit).toBe(false);
  });

  it("keeps of what one may undo only what is still possible", () => {
    const line = aLine({ actions: { ...aLine().actions, undo: [anUndo()] } });
    expect(patchLine(line, aMovement()).actions.undo).toEqual([anUndo()]);
    expect(patchLine(line, aMovement({ inside: [] })).actions.undo).toEqual([]);
  });
});

describe("the history and the order of a line's event", () => {
  it("gains the records that the event touched, newest first", () => {
    const older = { ...aRecord(), id: 499, inputDate: "2026-03-13T15:00:00Z" };
    const closed = { ...aRecord(), outputDate: "2026-03-14T16:00:00Z" };
    const rest = { ...aRecord(), id: 501, quantity: 3 };
    expect(patchHistory([aRecord(), older], [closed, rest])).toEqual([rest, closed, older]);
  });

  it("counts the order's lines anew", () => {
    storeSession(aSession({ permissions: ["SalesOrderPositionRecord"] }));
    const readable = aLine({ actions: { ...aLine().actions, history: true } });
    const other = aLine({ id: 12, position: 2, status: "Done", quantity: 4, quantityDone: 4 });
    const canceled = aLine({ id: 13, position: 3, status: "Canceled", quantity: 99 });
    const whole = anOrder({
      version: 2,
      items: [readable, other, canceled],
      actions: { edit: true, delete: true },
    });
    const left = { ...aRecord(), quantity: 8, outputDate: "2026-03-14T16:00:00Z" };
    const moved = aMovement({ quantity: 12, late: true }, { records: [left] });
    expect(patchOrder(whole, moved)).toMatchObject({
      linesCount: 3,
      openLinesCount: 1,
      lateLinesCount: 1,
      quantity: 16,
      quantityDone: 4,
      progress: 0.5,
      firstDeliveryDate: "2026-03-20",
      actions: { edit: true, delete: false },
    });
  });

  it("gives a row of the list of orders its status", () => {
    const rows = [aSummary(), aSummary({ id: 2 })];
    const list = { rows, total: 2, exact: true, next: null };
    const patched = patchOrderRows(list, aMovement());
    expect(patched.rows.map(({ status, version }) => [status, version])).toEqual([
      ["InProcess", 2],
      ["Approved", 1],
    ]);
    expect(patchOrderRows(patched, aMovement())).toBe(patched);
  });
});

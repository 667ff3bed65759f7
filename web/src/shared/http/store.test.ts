import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { aRecord } from "@/testing/lines";
import { forgetDocuments, heldOf, put, renumber, take, useView, view } from "./store";

const line = (id: number, version: number, more: object = {}) => ({
  kind: "line",
  id,
  version,
  status: `of ${version}`,
  ...more,
});

beforeEach(() => forgetDocuments());

describe("put", () => {
  it("keeps the newest version, in any order of arrival", () => {
    put([line(1, 5)]);
    put([line(1, 4)]);
    expect(heldOf(line(1, 0))).toMatchObject({ version: 5, status: "of 5" });
    put([line(1, 6)]);
    expect(heldOf(line(1, 0))).toMatchObject({ version: 6, status: "of 6" });
  });

  it("takes an answer of the same version, as it may have more fields or be of a later day", () => {
    put([line(1, 5, { late: false })]);
    put([line(1, 5, { late: true, measures: "2 cm" })]);
    expect(heldOf(line(1, 0))).toMatchObject({ late: true, measures: "2 cm" });
  });

  it("keeps fields that only one of two versions has", () => {
    put([line(1, 4, { measures: "2 cm" })]);
    put([line(1, 5)]);
    expect(heldOf(line(1, 0))).toMatchObject({ version: 5, measures: "2 cm" });
    put([line(2, 5)]);
    put([line(2, 4, { measures: "3 cm" })]);
    expect(heldOf(line(2, 0))).toMatchObject({ version: 5, status: "of 5", measures: "3 cm" });
  });

  it("keeps documents of different kinds apart", () => {
    put([line(1, 5), { kind: "order", id: 1, version: 2 }]);
    expect(heldOf({ kind: "order", id: 1 })).toEqual({ kind: "order", id: 1, version: 2 });
  });

  it("takes the first lower version after a renumbering, and no lower one after it", () => {
    put([line(1, 5)]);
    renumber();
    put([line(1, 2)]);
    put([line(1, 1)]);
    expect(heldOf(line(1, 0))).toMatchObject({ version: 2, status: "of 2" });
  });
});

describe("the history of a line", () => {
  const entered = aRecord();
  const left = { ...aRecord(), outputDate: "2026-03-14T16:00:00Z" };
  const later = { ...aRecord(), id: 501, inputDate: "2026-03-14T17:00:00Z" };
  const historyOf = (id: number) => heldOf({ ...line(id, 0), productionProcesses: [aRecord()] })!;

  it("grows by the records of an event, newest first", () => {
    put([line(1, 4, { productionProcesses: [entered] })]);
    put([line(1, 5, { records: [left, later] })]);
    expect(historyOf(1).productionProcesses).toEqual([later, left]);
  });

  it("keeps the records of an event if an older answer arrives after it", () => {
    put([line(1, 5, { records: [left] })]);
    put([line(1, 6, { records: [later] })]);
    put([line(1, 4, { productionProcesses: [entered] })]);
    expect(historyOf(1)).toMatchObject({ version: 6, productionProcesses: [later, left] });
  });

  it("is that of an answer of the same or a newer version", () => {
    put([line(1, 5, { records: [entered] })]);
    put([line(1, 6, { productionProcesses: [left] })]);
    put([line(1, 6, { productionProcesses: [left] })]);
    expect(historyOf(1).productionProcesses).toEqual([left]);
  });
});

describe("a view", () => {
  it("shows the newest version of every document, at any depth", () => {
    const answer = { total: 2, rows: [line(1, 4), line(2, 4)], order: { items: [line(1, 4)] } };
    take(answer);
    put([line(1, 5)]);
    expect(view(answer)).toMatchObject({
      total: 2,
      rows: [{ status: "of 5" }, { status: "of 4" }],
      order: { items: [{ status: "of 5" }] },
    });
  });

  it("shows documents inside documents", () => {
    const order = { kind: "order", id: 9, version: 1, items: [line(1, 4)], progress: 0 };
    take(order);
    take({ kind: "order", id: 9, version: 2, progress: 0.5 });
    put([line(1, 5)]);
    expect(view(order)).toMatchObject({ version: 2, progress: 0.5, items: [{ status: "of 5" }] });
  });

  it("stays the same object while nothing in it changes", () => {
    const answer = { rows: [line(1, 4), line(2, 4, { inside: [{ quantity: 3 }] })], notes: ["a"] };
    take(answer);
    const first = view(answer);
    put([line(3, 1)]);
    expect(view(answer)).toBe(first);
    put([line(1, 5)]);
    const second = view(answer);
    expect(second).not.toBe(first);
    expect(second.rows[1]).toBe(first.rows[1]);
    put([line(3, 2)]);
    expect(view(answer)).toBe(second);
  });

  it("returns an answer without documents unchanged", () => {
    const answer = { rows: [{ total: 3 }] };
    take(answer);
    expect(view(answer)).toBe(answer);
    expect(view(undefined)).toBeUndefined();
  });

  it("renders again as a hook only for documents that it shows", () => {
    const answer = [line(1, 4)];
    take(answer);
    let drawn = 0;
    const { result } = renderHook(() => {
      drawn += 1;
      return useView(answer);
    });
    act(() => put([line(2, 1)]));
    expect(drawn).toBe(1);
    act(() => put([line(1, 5)]));
    expect(result.current).toMatchObject([{ status: "of 5" }]);
  });
});

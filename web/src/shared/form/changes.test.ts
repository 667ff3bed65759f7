// @vitest-environment node
import { expect, it } from "vitest";
import { differences, pick } from "./changes";

const before = { a: 1, b: "x", c: null as string | null, ids: [1, 2] };

it("finds the fields that differ, and compares lists by content", () => {
  const fields = ["a", "b", "c", "ids"] as const;
  expect(differences(before, { ...before, b: "y", ids: [1, 2] }, fields)).toEqual(["b"]);
  expect(differences(before, { ...before, ids: [2] }, fields)).toEqual(["ids"]);
  expect(differences(before, { ...before, c: "z" }, fields)).toEqual(["c"]);
});

it("keeps only the named fields", () => {
  expect(pick(before, ["a", "ids"])).toEqual({ a: 1, ids: [1, 2] });
});

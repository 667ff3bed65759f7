// @vitest-environment node
import { expect, it } from "vitest";
import { changesOf } from "./changes";

it("returns each field with its value before and after", () => {
  expect(changesOf({ name: { before: "Oro", after: "Plata" } })).toEqual([
    { path: ["name"], before: "Oro", after: "Plata" },
  ]);
});

it("omits a field that was empty and stays empty", () => {
  expect(
    changesOf({
      description: { before: null, after: "" },
      emails: { before: null, after: [] },
      status: { before: null, after: false },
    }).map(({ path }) => path[0]),
  ).toEqual(["status"]);
});

it("splits a change of a list into added and removed values", () => {
  expect(changesOf({ permissions: { before: ["A", "B"], after: ["B", "C"] } })).toEqual([
    {
      path: ["permissions"],
      before: ["A", "B"],
      after: ["B", "C"],
      added: ["C"],
      removed: ["A"],
    },
  ]);
});

it("compares an address field by field", () => {
  expect(
    changesOf({
      commercialAddress: {
        before: { city: "León", country: "MX" },
        after: { city: "Taxco", country: "MX" },
      },
    }),
  ).toEqual([{ path: ["commercialAddress", "city"], before: "León", after: "Taxco" }]);
});

// @vitest-environment node
import { expect, it } from "vitest";
import { changesOf } from "./changes";

it("reads each field as before and after", () => {
  expect(changesOf({ name: { before: "Oro", after: "Plata" } })).toEqual([
    { path: ["name"], before: "Oro", after: "Plata" },
  ]);
});

it("says nothing of what was empty and stays empty", () => {
  expect(
    changesOf({
      description: { before: null, after: "" },
      emails: { before: null, after: [] },
      status: { before: null, after: false },
    }).map(({ path }) => path[0]),
  ).toEqual(["status"]);
});

it("says of a list what came and what went", () => {
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

it("reads an address field by field", () => {
  expect(
    changesOf({
      commercialAddress: {
        before: { city: "León", country: "MX" },
        after: { city: "Taxco", country: "MX" },
      },
    }),
  ).toEqual([{ path: ["commercialAddress", "city"], before: "León", after: "Taxco" }]);
});

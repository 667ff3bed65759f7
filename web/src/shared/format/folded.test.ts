// @vitest-environment node
/** The table holds the server's comparison too: tests/project/core/test_names.py. */
import { expect, it } from "vitest";
import names from "../../../../tests/contract/names.json";
import { folded, nameKey } from "./folded";

it.each(names.alike)("reads %j and %j as one", (one, other) =>
  expect(nameKey(one!)).toBe(nameKey(other!)),
);

it.each(names.apart)("tells %j from %j", (one, other) =>
  expect(nameKey(one!)).not.toBe(nameKey(other!)),
);

it.each(names.folded)("folds %j", (text, plain) => expect(folded(text!)).toBe(plain));

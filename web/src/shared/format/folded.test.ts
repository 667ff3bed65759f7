// @vitest-environment node
/** The server is tested with the same table: tests/project/core/test_names.py. */
import { expect, it } from "vitest";
import names from "../../../../tests/contract/names.json";
import { folded, nameKey } from "./folded";

it.each(names.alike)("treats %j and %j as the same name", (one, other) =>
  expect(nameKey(one!)).toBe(nameKey(other!)),
);

it.each(names.apart)("treats %j and %j as different names", (one, other) =>
  expect(nameKey(one!)).not.toBe(nameKey(other!)),
);

it.each(names.folded)("folds %j", (text, plain) => expect(folded(text!)).toBe(plain));

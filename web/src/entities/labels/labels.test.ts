import { beforeEach, expect, it } from "vitest";
import { countOf, keepPaper, keptPaper } from "./labels";

beforeEach(() => localStorage.clear());

it.each([
  [[18, 5], null, 1, 2],
  [[18, 5], null, 3, 6],
  [[18, 5], 8, 1, 4],
  [[18, 5], 1, 2, 46],
  [[18, 5], 100, 1, 2],
  [[0, 5], null, 2, 2],
  [[0, 5], 2, 1, 3],
  [[0], null, 1, 0],
  [[], 1, 1, 0],
])(
  "lines of %j pieces, %j on each label, in %i copies are %i labels",
  (pieces, piecesEach, copies, count) => {
    expect(countOf(pieces, { piecesEach, copies })).toBe(count);
  },
);

it("remembers the paper of the last print on this device", () => {
  expect(keptPaper()).toBeNull();
  const paper = { width: 80, height: 30, language: "en" } as const;
  keepPaper(Object.assign({ copies: 7, piecesEach: 2 }, paper));
  expect(keptPaper()).toEqual(paper);
});

it.each([
  "",
  "no JSON",
  "null",
  "[]",
  '"50×25"',
  '{"width":50,"height":25}',
  '{"width":39,"height":25,"language":"es"}',
  '{"width":50,"height":161,"language":"es"}',
  '{"width":50.5,"height":25,"language":"es"}',
  '{"width":"50","height":25,"language":"es"}',
  '{"width":50,"height":25,"language":"fr"}',
])("ignores a stored paper that no print can have: %s", (stored) => {
  localStorage.setItem("labelPaper", stored);
  expect(keptPaper()).toBeNull();
});

import { expect, it } from "vitest";
import { CATALOGS } from "@/contract";
import words from "@/locales/es/audit.json";
import { ACTIONS, ENTITIES } from "./audit.api";

it("has words for every action and kind of record", () => {
  expect([...ACTIONS].toSorted()).toEqual(Object.keys(words.action).toSorted());
  const named = [...Object.keys(words.entity), ...Object.keys(CATALOGS)];
  expect([...ENTITIES].toSorted()).toEqual(named.toSorted());
});

import { expect, it } from "vitest";
import words from "@/locales/es/audit.json";
import { ACTIONS, ENTITIES } from "./audit.api";

it("can be narrowed to everything that it has words for", () => {
  expect([...ACTIONS].toSorted()).toEqual(Object.keys(words.action).toSorted());
  expect([...ENTITIES].toSorted()).toEqual(Object.keys(words.entity).toSorted());
});

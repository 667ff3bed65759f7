import { expect, it } from "vitest";
import type { Permission } from "@/contract";
import cases from "../../../tests/contract/mask.json";
import told from "../../../tests/contract/told.json";
import { isTold, mask } from "./mask";

type Offers = Parameters<typeof mask>[0];

it.each(cases)("$name", ({ offers, permissions, processes, actions }) => {
  const rights = { permissions: permissions as Permission[], processes };
  expect(mask(offers as Offers, rights)).toEqual(actions);
});

it.each(told)("$name: $told", ({ permissions, processes, process, told: expected }) => {
  expect(isTold(process, { permissions: permissions as Permission[], processes })).toBe(expected);
});

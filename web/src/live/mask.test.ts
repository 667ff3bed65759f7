import { expect, it } from "vitest";
import type { Permission } from "@/contract";
import cases from "../../../tests/contract/mask.json";
import notified from "../../../tests/contract/notified.json";
import { isNotified, mask } from "./mask";

type Line = Parameters<typeof mask>[0];
type PlantProcess = Parameters<typeof mask>[2][number];

it.each(cases)("$name", ({ permissions, processes, plant, userId, actions, ...line }) => {
  const rights = { permissions: permissions as Permission[], processes, me: userId };
  expect(mask(line as Line, rights, plant as PlantProcess[])).toEqual(actions);
});

it.each(notified)("$name: $notified", ({ permissions, processes, process, notified: expected }) => {
  expect(isNotified(process, { permissions: permissions as Permission[], processes })).toBe(
    expected,
  );
});

import { expect, it } from "vitest";
import type { Permission } from "@/contract";
import cases from "../../../tests/contract/mask.json";
import notified from "../../../tests/contract/notified.json";
import { isNotified, mask } from "./mask";

type Offers = Parameters<typeof mask>[0];

it.each(cases)("$name", ({ offers, permissions, processes, userId, actions }) => {
  const rights = { permissions: permissions as Permission[], processes, me: userId };
  expect(mask(offers as Offers, rights)).toEqual(actions);
});

it.each(notified)("$name: $notified", ({ permissions, processes, process, notified: expected }) => {
  expect(isNotified(process, { permissions: permissions as Permission[], processes })).toBe(
    expected,
  );
});

/** Checks of a screen in a browser: no serious finding of axe, nothing wider than the window. */
import axe from "axe-core";
import { expect } from "vitest";

const COUNTED = ["serious", "critical"];

export async function expectAccessible(where: string): Promise<void> {
  const { violations } = await axe.run(document.body, { resultTypes: ["violations"] });
  const found = violations
    .filter(({ impact }) => COUNTED.includes(impact ?? ""))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect(found, `${where} has serious findings`).toEqual([]);
}

export function expectWithin(where: string): void {
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth - clientWidth, `${where} is wider than the window`).toBeLessThanOrEqual(0);
}

/** Check a screen that does not change any more. */
export async function expectGood(where: string): Promise<void> {
  await expectAccessible(where);
  expectWithin(where);
}

/** No screen may have a serious finding of axe. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const COUNTED = ["serious", "critical"];

export async function expectAccessible(page: Page, where: string): Promise<void> {
  // No frames here: the legacy mode spares a page of its own for the sum, and what passed need not be listed.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const found = violations
    .filter(({ impact }) => COUNTED.includes(impact ?? ""))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect(found, where).toEqual([]);
}

/** In which looks every screen is seen, and what makes one good: no serious finding of axe, nothing beyond the window. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

export const LOOKS = [
  { size: "office", language: "es", theme: "light" },
  { size: "wall", language: "en", theme: "light" },
  { size: "phone", language: "en", theme: "dark" },
] as const;
export type Look = (typeof LOOKS)[number];

export const named = ({ size, language, theme }: Look) => `${size}, ${language}, ${theme}`;

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

export async function expectWithin(page: Page, where: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, `${where} is wider than the window`).toBeLessThanOrEqual(0);
}

/** Axe finds on the wall what it finds in the office, on the same page with more room: there the width alone is asked. */
export async function expectGood(page: Page, where: string, look: Look): Promise<void> {
  if (look.size !== "wall") await expectAccessible(page, `${where}: ${named(look)}`);
  await expectWithin(page, `${where}: ${named(look)}`);
}

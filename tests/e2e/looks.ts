/** The looks in which screens are tested, and the checks: no serious finding of axe, nothing wider than the window. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { SIZES, type Size } from "./browsers";

export interface Look {
  size: Size;
  language: "es" | "en";
  theme: "light" | "dark";
}
export const LOOKS = [
  { size: "office", language: "es", theme: "light" },
  { size: "phone", language: "en", theme: "dark" },
] as const satisfies readonly Look[];

export const named = ({ size, language, theme }: Look) => `${size}, ${language}, ${theme}`;

const COUNTED = ["serious", "critical"];

/** Rules with only moderate or minor findings, which do not count: skip them to save time. */
const UNCOUNTED = `
  aria-allowed-role aria-deprecated-role empty-heading empty-table-header focus-order-semantics
  form-field-multiple-labels heading-order hidden-content html-xml-lang-mismatch
  image-redundant-alt landmark-banner-is-top-level landmark-contentinfo-is-top-level
  landmark-main-is-top-level landmark-no-duplicate-banner landmark-no-duplicate-contentinfo
  landmark-no-duplicate-main landmark-one-main landmark-unique meta-viewport meta-viewport-large
  no-autoplay-audio page-has-heading-one presentation-role-conflict region scope-attr-valid
  server-side-image-map skip-link table-duplicate-name
`
  .trim()
  .split(/\s+/);

export async function expectAccessible(page: Page, where: string): Promise<void> {
  // Inject axe (half a megabyte) once into each document: where it is already there, inject an empty source.
  const known = await page.evaluate(() => "axe" in window);
  // The pages have no frames, so legacy mode saves an extra page. List violations only.
  const { violations } = await new AxeBuilder({ page, ...(known ? { axeSource: "void 0" } : {}) })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .disableRules(UNCOUNTED)
    .analyze();
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

/** Check a screen in its look. Check the width of office screens on a wall too, where axe finds the same. */
export async function expectGood(page: Page, where: string, look: Look): Promise<void> {
  await expectAccessible(page, `${where}: ${named(look)}`);
  await expectWithin(page, `${where}: ${named(look)}`);
  if (look.size !== "office") return;
  await page.setViewportSize(SIZES.wall);
  await expectWithin(page, `${where}: on a wall`);
  await page.setViewportSize(SIZES.office);
}

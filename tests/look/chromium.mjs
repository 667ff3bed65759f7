/** A browser of its own for a bench, and somebody who signs in with it. */
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("@playwright/test");

export const launch = (executablePath) =>
  chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

/** Signs in on a page; resolves once the first page behind the login stands. */
export async function signIn(page, { email, password }) {
  await page.goto("/#/login");
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await page.locator("button[type=submit]").click();
  await page.waitForURL(({ hash }) => !hash.startsWith("#/login"));
}

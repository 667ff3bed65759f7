/** Takes the README's four pictures of the demo workshop into infra/docs. Run by `make pictures`. */
import { fileURLToPath } from "node:url";
import { launch, signIn } from "../../tests/look/chromium.mjs";
import { ask, ownProcess, PASSWORD } from "../../tests/look/demo.mjs";

const folder = fileURLToPath(new URL("./", import.meta.url));
const browser = await launch(process.env["CHROMIUM"]);

/** A picture of one page as one person sees it, once its pictures and letters are there. */
async function take(name, { email, viewport, path, ready, hand = false }) {
  const context = await browser.newContext({
    baseURL: process.env["BASE_URL"],
    viewport,
    hasTouch: hand,
    reducedMotion: "reduce",
    locale: "es-MX",
    timezoneId: process.env.PLANT_TIME_ZONE,
  });
  const page = await context.newPage();
  await signIn(page, { email, password: PASSWORD });
  const { id } = await page.evaluate(() => JSON.parse(localStorage.getItem("userData")));
  await page.evaluate((key) => localStorage.setItem(key, "offered"), `tour${id}`);
  await page.goto(`/#${await path(page)}`);
  await page.reload();
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}${name}.png`, animations: "disabled" });
  process.stdout.write(`${name}.png\n`);
  await context.close();
}

async function lateOrder(page) {
  const orders = await ask(page, "/api/sales-order?limit=100");
  const found = orders.find(({ notes }) => notes.startsWith("Atrasada: la turquesa"));
  return `/operations/sales-orders/${found.id}`;
}

await take("station", {
  email: "esteban@obrador.test",
  viewport: { width: 1280, height: 800 },
  hand: true,
  path: async (page) => `/shop-floor/station/${await ownProcess(page)}`,
  ready: ".ob-station",
});
await take("board", {
  email: "jefe@obrador.test",
  viewport: { width: 1920, height: 1080 },
  path: () => "/shop-floor",
  ready: ".ob-board",
});
await take("order", {
  email: "ventas@obrador.test",
  viewport: { width: 1440, height: 900 },
  path: lateOrder,
  ready: "main h1",
});
await take("today", {
  email: "ventas@obrador.test",
  viewport: { width: 1440, height: 900 },
  path: () => "/home",
  ready: "main h1",
});
await browser.close();

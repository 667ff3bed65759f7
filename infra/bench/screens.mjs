/**
 * Open a page for each screen in one browser, and count the requests that each makes.
 *
 * Reads one line of JSON: {base, email, password, browser, seconds, screens: {name: [path, button]}}; `button` is the name
 * of a button to press there, or empty. When no page asks for more, writes {name: [addresses that it loaded]}, and
 * `seconds` later {name: {"METHOD path": count}}.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as passed } from "node:timers/promises";
import { launch, signIn } from "../../tests/look/chromium.mjs";

const QUIET_MS = 3_000;

const [line] = await once(createInterface({ input: process.stdin }), "line");
const { base, email, password, browser: executablePath, seconds, screens } = JSON.parse(line);
const browser = await launch(executablePath);
const context = await browser.newContext({
  baseURL: base,
  viewport: { width: 1440, height: 900 },
  reducedMotion: "reduce",
});

const first = await context.newPage();
await signIn(first, { email, password });
await first.close();

let last = Date.now();
const counts = Object.fromEntries(Object.keys(screens).map((name) => [name, {}]));
const loaded = Object.fromEntries(Object.keys(screens).map((name) => [name, new Set()]));
const pages = {};
for (const [name, [path, button]] of Object.entries(screens)) {
  const page = (pages[name] = await context.newPage());
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (!["fetch", "xhr"].includes(request.resourceType())) return;
    last = Date.now();
    if (request.method() === "GET") loaded[name].add(pathname + search);
    const what = `${request.method()} ${pathname.replace(/\d+/g, "N")}`;
    counts[name][what] = (counts[name][what] ?? 0) + 1;
  });
  await page.goto(`/#${path}`);
  await page.waitForLoadState("networkidle");
  if (button !== "") await page.getByRole("button", { name: button }).first().click();
}
while (Date.now() - last < QUIET_MS) await passed(200);
for (const [name, page] of Object.entries(pages)) {
  const state = await page.evaluate(() => `${document.visibilityState} ${location.hash}`);
  if (state !== `visible #${screens[name][0]}`) throw new Error(`${name} is ${state}`);
  counts[name] = {};
}
console.log(JSON.stringify(Object.fromEntries(Object.entries(loaded).map(([name, all]) => [name, [...all]]))));
await passed(1_000 * seconds);
console.log(JSON.stringify(counts));
await browser.close();

/**
 * Measure the demo workshop in a browser: size and largest paint of the sign-in page and of a customer's page with the
 * processor slowed four times, and the layout shift of every page. PAGES_PATHS (a regular expression): some pages. Ends
 * with 1 above a limit.
 */
import { writeFileSync } from "node:fs";
import { launch, signIn } from "../../tests/look/chromium.mjs";
import { addressOf, customerLink, demoRecords, PASSWORD, ROUTES } from "../../tests/look/demo.mjs";

const MOST_SHIFT = 0.05;
const MOST_PAINT_MS = 1_000;
const TRIES = 5;
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const browser = await launch(process.env["CHROMIUM"]);
const wanted = new RegExp(process.env["PAGES_PATHS"] ?? "");
const rows = {};
let exceeded = false;

/** Print a figure and compare it with its limit. */
const show = (name, value, most, unit = "") => {
  const isAbove = value > most;
  if (isAbove) exceeded = true;
  console.log(`${name.padEnd(58)} ${value}${unit}${isAbove ? `   LIMIT EXCEEDED: ${most}` : ""}`);
};

const open = (viewport) =>
  browser.newContext({ baseURL: process.env["BASE_URL"], viewport, serviceWorkers: "block" });

/** Run in each document before its own scripts. */
const OBSERVE = () => {
  window.measured = { paint: 0, shift: 0, bytes: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.bytes += entry.encodedBodySize;
  }).observe({ type: "resource", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.paint = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) window.measured.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
};

async function measured(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  return page.evaluate(() => window.measured);
}

/** Open an address several times without a cache, with the processor slowed four times. */
async function slowed(address) {
  const paints = [];
  let bytes = 0;
  for (let round = 0; round < TRIES; round += 1) {
    const context = await open(SIZES[0]);
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const found = await measured(page, address);
    paints.push(found.paint);
    bytes = found.bytes;
    await context.close();
  }
  const paint = Math.round(paints.toSorted((one, other) => one - other)[Math.floor(TRIES / 2)]);
  if (paint === 0) throw new Error(`The browser reported no paint of ${address}.`);
  return { paint, kilobytes: Math.round(bytes / 1_000) };
}

const office = await open(SIZES[1]);
const admin = await office.newPage();
await signIn(admin, { email: "admin@obrador.test", password: PASSWORD });
const link = await customerLink(admin);
await office.close();

for (const [name, address] of [
  ["Sign-in page", "/#/login"],
  ["Customer's page by link", link],
]) {
  const { paint, kilobytes } = await slowed(address);
  rows[`${name}, processor slowed 4 times: largest paint, median of ${TRIES}`] = `${paint} ms`;
  rows[`${name}: files it loads`] = `${kilobytes} kB`;
  show(`${name}, largest paint`, paint, MOST_PAINT_MS, " ms");
  console.log(`${name}, files it loads: ${kilobytes} kB`);
}
const shifts = [];

for (const viewport of SIZES) {
  const context = await open(viewport);
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  await signIn(page, { email: "admin@obrador.test", password: PASSWORD });
  const records = await demoRecords(page);
  for (const { path } of ROUTES.filter(
    ({ access, path }) => access !== "public" && wanted.test(path),
  )) {
    const filled = addressOf(path, records);
    const { shift } = await measured(page, `/#${filled}`);
    shifts.push(shift);
    show(`${viewport.width} ${filled}, layout shift`, shift.toFixed(3), MOST_SHIFT);
  }
  await context.close();
}
await browser.close();
rows[`Layout shift while a page loads: worst of ${shifts.length}`] = Math.max(...shifts).toFixed(3);
if (process.env["MEASUREMENTS"]) writeFileSync(process.env["MEASUREMENTS"], JSON.stringify(rows));
process.exitCode = exceeded ? 1 : 0;

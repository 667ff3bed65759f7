/**
 * Opens the shop-floor board on a wall and measures what it takes of the machine, by the browser's own figures.
 *
 * Reads one line of JSON: {base, email, password, browser, seconds, traced}. When the board stands writes a line
 * {cards}, and after `seconds` a line {cores, renderer, longest, long, traced, longestTraced, heap}: cores and renderer
 * are shares of one core, of all of the browser's processes and of the page's own; longest and longestTraced
 * milliseconds of a task, the latter from a trace of the last `traced` seconds; heap in bytes after collections, at the
 * start, in the middle and at the end.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as passed } from "node:timers/promises";
import { launch, signIn } from "../../tests/look/chromium.mjs";

const [line] = await once(createInterface({ input: process.stdin }), "line");
const { base, email, password, browser: executablePath, seconds, traced } = JSON.parse(line);
const browser = await launch(executablePath);
const context = await browser.newContext({ baseURL: base, viewport: { width: 1920, height: 1080 } });
const page = await context.newPage();
await signIn(page, { email, password });
await page.goto("/#/shop-floor");
await page.locator(".ob-board-card").first().waitFor();
await page.waitForLoadState("networkidle");

const whole = await browser.newBrowserCDPSession();
const own = await context.newCDPSession(page);
await own.send("Performance.enable");
await page.evaluate(() => {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
  }).observe({ type: "longtask" });
});

/** Seconds of processor time so far: of every process of the browser, and of those that draw pages. */
async function processor() {
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const sum = (rows) => rows.reduce((total, { cpuTime }) => total + cpuTime, 0);
  return [sum(processInfo), sum(processInfo.filter(({ type }) => type === "renderer"))];
}

async function heap() {
  await own.send("HeapProfiler.collectGarbage");
  const { metrics } = await own.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value;
}

/** The longest tasks of the page's main thread while `work` runs, in milliseconds. */
async function trace(work) {
  const events = [];
  const keep = ({ value }) => events.push(...value);
  whole.on("Tracing.dataCollected", keep);
  await whole.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "__metadata"], recordMode: "recordAsMuchAsPossible" },
  });
  await work();
  const done = once(whole, "Tracing.tracingComplete");
  await whole.send("Tracing.end");
  await done;
  whole.off("Tracing.dataCollected", keep);
  const mains = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = events.filter(({ name, pid, tid, dur }) => name.endsWith("RunTask") && dur > 0 && mains.has(`${pid}/${tid}`));
  return { count: tasks.length, longest: Math.max(0, ...tasks.map(({ dur }) => dur / 1_000)) };
}

/** Collecting is the bench's own work: its tasks are not the board's. */
async function heapApart() {
  const tasks = await page.evaluate(() => globalThis.longTasks.length);
  const bytes = await heap();
  await passed(1_000);
  await page.evaluate((count) => (globalThis.longTasks.length = count), tasks);
  return bytes;
}

console.log(JSON.stringify({ cards: await page.locator(".ob-board-card").count() }));
await passed(5_000);
await page.evaluate(() => (globalThis.longTasks.length = 0));
const heaps = [await heapApart()];
const [all, renderer] = await processor();
const begun = Date.now();
const untraced = seconds - traced;
await passed(500 * untraced);
heaps.push(await heapApart());
await passed(500 * untraced);
const took = (Date.now() - begun) / 1_000;
const [allAfter, rendererAfter] = await processor();
const found = await trace(() => passed(1_000 * traced));
const longTasks = await page.evaluate(() => globalThis.longTasks);
heaps.push(await heap());
console.log(
  JSON.stringify({
    cores: (allAfter - all) / took,
    renderer: (rendererAfter - renderer) / took,
    longest: Math.max(0, ...longTasks),
    long: longTasks.length,
    traced: found.count,
    longestTraced: found.longest,
    heap: heaps,
  }),
);
await browser.close();

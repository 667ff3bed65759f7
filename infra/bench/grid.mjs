/**
 * Pastes the lines of an order into its grid, types in it and saves it, and measures that by the browser's own figures.
 *
 * Reads one line of JSON: {base, email, password, browser, rows, customer, po}, where rows is text as a spreadsheet copies
 * it. Writes a line {shown, keys, longest, long, worstFrame, saved}: milliseconds from the paste to the lines in the grid;
 * how many keys were typed in it, the longest task meanwhile and how many took over 50 ms, the longest time between two
 * frames; milliseconds from Ctrl+Enter to the saved order, of it and of the paste together.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { launch, signIn } from "./chromium.mjs";

const [line] = await once(createInterface({ input: process.stdin }), "line");
const { base, email, password, browser: executablePath, rows, customer, po } = JSON.parse(line);
const browser = await launch(executablePath);
const context = await browser.newContext({ baseURL: base, viewport: { width: 1440, height: 900 }, locale: "es-MX" });
await context.addInitScript(() => localStorage.setItem("language", "es"));
const page = await context.newPage();
await signIn(page, { email, password });
await page.goto("/#/operations/sales-orders/new");
const cell = (name, row) => page.getByLabel(new RegExp(`^${name}, línea ${row}$`));
await page.keyboard.type(customer);
await page.locator(".ant-select-item-option").first().waitFor();
await page.keyboard.press("Enter");
await page.getByLabel("PO#").fill(po);
await cell("Producto", 1).focus();

const count = rows.split("\n").length;
const begun = performance.now();
await cell("Producto", 1).evaluate((element, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, rows);
await page.getByRole("button", { name: `Agregar ${count} líneas` }).click();
await page.getByText(`Total: ${count} líneas`).waitFor();
const shown = performance.now() - begun;

await page.evaluate(() => {
  globalThis.longTasks = [];
  globalThis.worstFrame = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
  }).observe({ type: "longtask" });
  let last = performance.now();
  const frame = (now) => {
    globalThis.worstFrame = Math.max(globalThis.worstFrame, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
});
let keys = 0;
for (const [name, row, text] of [
  ["Cantidad", 3, "1234567"],
  ["Notas", 5, "pulir a mano y grabar las iniciales"],
  ["Entrega", 7, "2099-12-18"],
  ["Producto", count + 1, "bench 7"],
]) {
  await cell(name, row).focus();
  await page.keyboard.type(text, { delay: 40 });
  keys += text.length;
}
const { long, longest, worstFrame } = await page.evaluate(() => ({
  long: globalThis.longTasks.length,
  longest: Math.max(0, ...globalThis.longTasks),
  worstFrame: globalThis.worstFrame,
}));
await cell("Producto", count + 1).fill("");

const sent = performance.now();
await page.keyboard.press("Control+Enter");
await page.waitForURL(({ hash }) => hash === "#/operations/sales-orders");
const saved = performance.now() - sent;
console.log(JSON.stringify({ shown, keys, longest, long, worstFrame, saved, together: shown + saved }));
await browser.close();

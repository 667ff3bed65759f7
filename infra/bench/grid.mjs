/**
 * Pastes the lines of an order into its grid, types in it and saves it, and measures that by the browser's own figures.
 *
 * Reads one line of JSON: {base, email, password, browser, rows, customer, po}, where rows is text as a spreadsheet copies
 * it. Writes a line {shown, keys, typed, scrolled, searched, saved, together}: milliseconds from the paste to the lines in
 * the grid; how many keys were typed; {long, longest, worstFrame} while somebody typed in lines, went to the last one, and
 * looked for a product there: tasks over 50 ms, the longest of them, the longest time between two frames; milliseconds
 * from Ctrl+Enter to the saved order, and of both.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { launch, signIn } from "../../tests/look/chromium.mjs";

const [line] = await once(createInterface({ input: process.stdin }), "line");
const { base, email, password, browser: executablePath, rows, customer, po } = JSON.parse(line);
const browser = await launch(executablePath);
const context = await browser.newContext({ baseURL: base, viewport: { width: 1440, height: 900 }, locale: "es-MX" });
await context.addInitScript(() => localStorage.setItem("language", "es"));
const page = await context.newPage();
await signIn(page, { email, password });
await page.goto("/#/operations/sales-orders/new");
const cell = (name, row) => page.getByLabel(new RegExp(`^${name}, línea ${row}$`));
await page.locator("#customerId").focus();
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
await page.getByRole("dialog").waitFor({ state: "hidden" });

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
async function write(name, row, text) {
  await cell(name, row).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text, { delay: 40 });
  keys += text.length;
}
/** The figures since the last time. */
const figures = () =>
  page.evaluate(() => {
    const found = {
      long: globalThis.longTasks.length,
      longest: Math.max(0, ...globalThis.longTasks),
      worstFrame: globalThis.worstFrame,
    };
    globalThis.longTasks.length = 0;
    globalThis.worstFrame = 0;
    return found;
  });
await write("Cantidad", 3, "1234567");
await write("Notas", 5, "pulir a mano y grabar las iniciales");
await write("Entrega", 7, "2099-12-18");
const typed = await figures();
// What is far from the window is drawn when somebody goes there.
await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
await cell("Producto", count + 1).waitFor();
const scrolled = await figures();
await write("Producto", count + 1, "bench 7");
await page.getByRole("option").first().waitFor();
const searched = await figures();
await cell("Producto", count + 1).fill("");
// An open list of products keeps Ctrl+Enter for itself.
await cell("Cantidad", count).focus();

const sent = performance.now();
await page.keyboard.press("Control+Enter");
await page.waitForURL(({ hash }) => hash === "#/operations/sales-orders");
const saved = performance.now() - sent;
console.log(JSON.stringify({ shown, keys, typed, scrolled, searched, saved, together: shown + saved }));
await browser.close();

/**
 * A station in one browser and a board in another: times from a press at the station, by the machine's one clock.
 *
 * Reads JSON: {base, email, password, browser, process, server, timed, hanging, waiting, inside}: `server` is the id of
 * the server's process, which is halted for a while; the last four are codes of lines that may enter
 * `process`; the last ones do before the network goes. Writes
 * {colour, sent, event, board, colourHanging, settled}, milliseconds each: to the painted colour, the call, the event at
 * the board's browser, the painted board, the colour while the server is halted; and of all that waited, from the
 * network's return until the server has taken it.
 */
import { text } from "node:stream/consumers";
import { launch, signIn } from "../../tests/look/chromium.mjs";

const { base, email, password, browser: executablePath, process: id, server, ...codes } = JSON.parse(
  await text(process.stdin),
);
const PATIENCE = 120_000;

/** Notes in every page when what happened, in milliseconds of the wall clock. */
function note() {
  const at = (time = performance.now()) => performance.timeOrigin + time;
  const noted = (globalThis.noted = { press: 0, colour: 0, sent: 0, event: 0, board: 0 });
  const painted = (name) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (noted[name] ||= at());
      port2.postMessage(null);
    });
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        if (String(data).includes("line.moved")) noted.event ||= at();
      });
    }
  };
  const { fetch } = globalThis;
  globalThis.fetch = (...given) => {
    if ((given[0].url ?? String(given[0])).includes("/production-process/")) noted.sent ||= at();
    return fetch(...given);
  };
  addEventListener("click", ({ timeStamp }) => (noted.press = at(timeStamp)), { capture: true });
  let shown = 0;
  const seen = new WeakSet();
  new MutationObserver(() => {
    const flash = document.querySelector(".ob-station__flash--yes");
    if (flash !== null && !seen.has(flash)) {
      seen.add(flash);
      painted("colour");
    }
    const cards = document.querySelectorAll(".ob-board-card").length;
    if (cards === shown) return;
    shown = cards;
    painted("board");
  }).observe(document, { subtree: true, childList: true });
}

async function open(path) {
  const browser = await launch(executablePath);
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1920, height: 1080 } });
  await context.addInitScript(note);
  const page = await context.newPage();
  await signIn(page, { email, password });
  await page.goto(`/#${path}`);
  await page.getByText("En vivo").first().waitFor();
  await page.waitForLoadState("networkidle");
  return { browser, context, page };
}

const station = await open(`/shop-floor/station/${id}`);
const board = await open("/shop-floor");
const button = station.page.locator(".ob-opened__press:enabled");

/** As a scanner types it, then a press on the one button. */
async function press(code) {
  await Promise.all([...code, "Enter"].map((key) => station.page.keyboard.press(key)));
  await button.click();
  await button.waitFor({ state: "detached" });
}

const forget = ({ page }) => page.evaluate(() => Object.keys(noted).forEach((name) => (noted[name] = 0)));
const notedAt = ({ page }) => page.evaluate(() => noted);
const until = ({ page }, name) => page.waitForFunction((one) => noted[one] > 0, name, { timeout: PATIENCE });

/** Of one press what came when, after it. */
async function timed(code, { reaches }) {
  await Promise.all([forget(station), forget(board)]);
  await press(code);
  await until(station, "colour");
  if (reaches) await until(board, "board");
  const [here, there] = [await notedAt(station), await notedAt(board)];
  const after = (time) => time - here.press;
  return { colour: after(here.colour), sent: after(here.sent), event: after(there.event), board: after(there.board) };
}

/** Each line in and out. The first presses of all compile what they run. */
async function all(lines, { reaches, warmUp = 0 }) {
  const rows = [];
  for (const code of lines.flatMap((line) => [line, line])) {
    rows.push(await timed(code, { reaches }));
    await station.page.locator(".ob-station__flash--yes").waitFor({ state: "detached" });
    // A worker's hands need longer; the board draws many changes as one.
    await station.page.waitForTimeout(400);
  }
  return rows.slice(warmUp);
}

let taken = 0;
station.page.on("response", (response) => {
  // What had arrived before the answer was lost is refused the second time, and as good as taken.
  if (response.url().includes("/production-process/") && response.status() < 500) taken += 1;
});
const isSettled = async (count) => {
  while (taken < count) await station.page.waitForEvent("response", { timeout: PATIENCE });
};

const rows = await all(codes.timed, { reaches: true, warmUp: 4 });

taken = 0;
process.kill(server, "SIGSTOP");
const hanging = await all(codes.hanging, { reaches: false });
process.kill(server, "SIGCONT");
await isSettled(2 * codes.hanging.length);

const token = await station.page.evaluate(() => localStorage.getItem("token"));
for (const code of codes.inside) {
  const [order, position] = code.split("-");
  const answer = await station.context.request.put(
    `/api/sales-order/${order}/position/${position}/production-process/in`,
    {
      headers: { Authorization: `Bearer ${token}`, "Idempotency-Key": crypto.randomUUID() },
      data: { productionProcessId: id },
    },
  );
  if (!answer.ok()) throw new Error(`${code}: ${await answer.text()}`);
}

taken = 0;
// What may enter now is what the station knows of when the network goes.
await station.page.reload();
await station.page.getByText("En vivo").first().waitFor();
await station.page.waitForLoadState("networkidle");
await station.context.setOffline(true);
// All in, then all out: a line is not scanned again while its press is still being kept.
const offline = [...codes.waiting, ...codes.inside, ...codes.waiting];
for (const code of offline) await press(code);
const back = Date.now();
await station.context.setOffline(false);
await isSettled(offline.length);
const settled = Date.now() - back;
const left = station.page.locator(".ob-waiting");
await left.waitFor({ state: "detached" }).catch(async () => {
  throw new Error(`The server did not take all that waited:\n${await left.innerText()}`);
});

const each = (name) => rows.map((row) => row[name]);
console.log(
  JSON.stringify({
    colour: each("colour"),
    sent: each("sent"),
    event: each("event"),
    board: each("board"),
    colourHanging: hanging.map(({ colour }) => colour),
    settled: [settled],
  }),
);
await Promise.all([station.browser.close(), board.browser.close()]);

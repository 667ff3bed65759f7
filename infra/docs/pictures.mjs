/**
 * Takes the README's six pictures of the demo workshop, and its film of a scan at a station and the card that moves on
 * the wall, into infra/docs. Run by `make pictures`, which runs `pictures.py` on what this leaves in PICTURES.
 */
import { writeFileSync } from "node:fs";
import { launch, signIn } from "../../tests/look/chromium.mjs";
import { ask, customerLink, PASSWORD } from "../../tests/look/demo.mjs";

const folder = process.env["PICTURES"];
const browser = await launch(process.env["CHROMIUM"]);
const OFFICE = { width: 1280, height: 800 };

async function opened(viewport, { hand = false, still = true } = {}) {
  const context = await browser.newContext({
    baseURL: process.env["BASE_URL"],
    viewport,
    hasTouch: hand,
    reducedMotion: still ? "reduce" : "no-preference",
    locale: "en-GB",
    timezoneId: process.env["PLANT_TIME_ZONE"],
  });
  await context.addInitScript(() => localStorage.setItem("language", "en"));
  return context.newPage();
}

/** A page of one person, in English, without the offer of the tour. */
async function signedIn(email, viewport, options) {
  const page = await opened(viewport, options);
  await signIn(page, { email: `${email}@obrador.test`, password: PASSWORD });
  const { id } = await page.evaluate(() => JSON.parse(localStorage.getItem("userData")));
  await page.evaluate((key) => localStorage.setItem(key, "offered"), `tour${id}`);
  return page;
}

async function open(page, path) {
  await page.goto(`/#${path}`);
  await page.reload();
  await settled(page);
}

async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
}

async function take(page, name) {
  await settled(page);
  await page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" });
  process.stdout.write(`${name}.png\n`);
  await page.context().close();
}

/** The process of a name in which the person works. */
async function station(page, name) {
  const processes = await ask(page, "/api/shop-floor/own");
  const { productionProcessId } = processes.find((each) => each.productionProcessName === name);
  return `/shop-floor/station/${productionProcessId}`;
}

async function board() {
  const page = await signedIn("jefe", { width: 1600, height: 900 });
  await open(page, "/shop-floor");
  await page.locator(".ob-board").first().waitFor();
  await take(page, "board");
}

/** Pieces leave the bench with more loss than is allowed. */
async function weighing() {
  const page = await signedIn("guadalupe", OFFICE, { hand: true });
  await open(page, await station(page, "Limado"));
  await page.getByRole("region", { name: /^Inside/ }).getByRole("button").first().click();
  const weight = page.getByLabel(/^Weight/);
  await weight.fill("415");
  await weight.blur();
  await page.getByText(/^Loss/).first().waitFor();
  await take(page, "station");
}

/** Why a line will probably be late. The worker makes the forecasts soon after the start. */
async function why() {
  const page = await signedIn("ventas", OFFICE);
  const found = await page.waitForFunction(
    async (token) => {
      const headers = { Authorization: `Bearer ${token}` };
      const today = await (await fetch("/api/reports/today", { headers })).json();
      const lines = ["likelyLate", "dueThisWeek", "late"].flatMap((part) => today[part].lines);
      return lines.find(({ forecast }) => forecast !== null);
    },
    await page.evaluate(() => localStorage.getItem("token")),
    { polling: 1_000, timeout: 120_000 },
  );
  const line = await found.jsonValue();
  await open(page, `/operations/sales-orders/${line.salesOrderId}/position/${line.position}`);
  await page.getByRole("button", { name: "Why", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("heading", { name: "Similar lines" }).waitFor();
  await take(page, "why");
}

async function customer() {
  const seller = await signedIn("ventas", OFFICE);
  const address = await customerLink(seller);
  const page = await opened({ width: 390, height: 844 }, { hand: true });
  await page.goto(address);
  await page.locator("h1").waitFor();
  await take(page, "customer");
}

const PRODUCTS = `Key;Name;Sell price
AN-001;Anillo Luna de Taxco;28.50
AN-002;Anillo Bugambilia;30.25
AN-021;Anillo Jacaranda;27.00
AN-022;Anillo Laguna;veintinueve
DI-003;Dije Sol azteca;37.49
`;

async function importing() {
  const page = await signedIn("ventas", OFFICE);
  await open(page, "/catalogs/products/import");
  const file = { name: "prices 2027.csv", mimeType: "text/csv", buffer: Buffer.from(PRODUCTS) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: /^All \d/ }).click();
  await page.getByText("Anillo Jacaranda", { exact: true }).waitFor();
  await take(page, "import");
}

async function paying() {
  const page = await signedIn("facturas", OFFICE);
  await open(page, "/reports/pay-orders");
  await page.getByText("Everything owed", { exact: true }).click();
  await page.getByRole("button", { name: "Pay everybody" }).click();
  await page.getByRole("dialog").waitFor();
  await take(page, "pay");
}

/** Type a code as a scanner does: quickly, each key with its own time. */
async function scan(page, code) {
  const devtools = await page.context().newCDPSession(page);
  const keys = [...code, "Enter"];
  const began = Date.now() - keys.length * 5;
  await Promise.all(
    keys.map((key, place) =>
      devtools.send("Input.dispatchKeyEvent", {
        type: "keyDown",
        key,
        text: key === "Enter" ? "\r" : key,
        windowsVirtualKeyCode: key === "Enter" ? 13 : key.charCodeAt(0),
        timestamp: (began + place * 5) / 1_000,
      }),
    ),
  );
  await devtools.detach();
}

/** Frames of a station beside the wall, each with how long it is shown. */
async function film() {
  const screens = {
    station: await signedIn("tomas", { width: 800, height: 900 }, { hand: true, still: false }),
    wall: await signedIn("jefe", { width: 1600, height: 1200 }, { still: false }),
  };
  const path = await station(screens.station, "Inyección de cera");
  await open(screens.station, path);
  await open(screens.wall, "/shop-floor");
  const queue = await ask(screens.station, `/api${path.slice("/shop-floor".length)}`);
  const [line] = queue.inside;
  const durations = [];
  const frames = async (count, milliseconds) => {
    for (let place = 0; place < count; place += 1) {
      const name = String(durations.length).padStart(2, "0");
      await Promise.all(
        Object.entries(screens).map(([which, page]) =>
          page.screenshot({ path: `${folder}/film-${name}-${which}.png` }),
        ),
      );
      durations.push(milliseconds);
    }
  };
  await frames(1, 1_800);
  await scan(screens.station, `${line.salesOrderId}-${line.position}`);
  const next = screens.station.getByRole("button", { name: /out of .* and into/ }).first();
  await next.waitFor();
  await settled(screens.station);
  await frames(1, 2_400);
  await next.hover();
  await frames(1, 500);
  await next.click();
  await frames(10, 250);
  await frames(1, 3_000);
  writeFileSync(`${folder}/film.json`, JSON.stringify(durations));
  process.stdout.write("film\n");
}

for (const picture of [board, weighing, why, customer, importing, paying, film]) await picture();
await browser.close();

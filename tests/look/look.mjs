/**
 * Opens every page of the demo workshop at every size, in both languages and themes. None may be wider than its window, cut
 * off text without a way to read it, begin on the button that closes it, or hold a serious finding of axe. A line for each failure, then a sum; ends with 1
 * where there is one. LOOK_SIZES and LOOK_PATHS (a regular expression) take a part of them; LOOK_PICTURES is a folder to
 * keep pictures in.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { launch, signIn } from "./chromium.mjs";
import { findCut } from "./cut.mjs";
import { addressOf, demoRecords, ownProcess, PASSWORD, ROUTES } from "./demo.mjs";

const SIZES = [
  { width: 390, height: 844, hand: true },
  { width: 800, height: 1280, hand: true },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];
const LOOKS = ["es", "en"].flatMap((language) =>
  ["light", "dark"].map((theme) => ({ language, theme })),
);
const SERIOUS = ["serious", "critical"];
/** Between the themes the colours alone differ: in the dark one these are looked for, in the light one all. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];
/** How many pages are looked at beside each other. */
const LANES = 2;
const QUIET_MS = 60;
const PATIENCE_MS = 15_000;

const ADMIN = "admin@obrador.test";
const press = (selector) => (page) => page.locator(selector).first().click({ timeout: 5_000 });
const drawers = ROUTES.filter(
  ({ path }) => /^\/catalogs\/[\w-]+$/.test(path) && path !== "/catalogs/lists",
)
  .map(({ path }) => path)
  .concat("/administration/users", "/administration/roles");
/** What opens over a page, for the same person: by its address, or by one press. */
const OVER = [
  ...drawers.flatMap((path) => [[`${path}?record=new`], [`${path}?record=1`]]),
  ["/operations/sales-orders/:id?line=1"],
  ["/operations/sales-orders/:id?edit=1"],
  ["/operations/sales-orders/:id?edit=order"],
  ["/home#menu", press(".ob-navbar__button")],
  ["/home#person", press(".ob-navbar__user")],
  ["/operations/orders#selected", press(".ob-table [type=checkbox], .ob-cards [type=checkbox]")],
  ["/operations/sales-orders#keys", (page) => page.keyboard.press("?")],
  ["/home#palette", (page) => page.keyboard.press("Control+k")],
];
/** The first pages of those who are not shown the administrator's. */
const OTHERS = [
  ["esteban@obrador.test", ["/home", "/shop-floor/station/:processId"]],
  ["ventas@obrador.test", ["/home"]],
  ["facturas@obrador.test", ["/home"]],
];

const {
  BASE_URL: baseURL,
  CHROMIUM,
  LOOK_SIZES = "",
  LOOK_PATHS = "",
  LOOK_PICTURES = "",
} = process.env;
const wanted = new RegExp(LOOK_PATHS);
const sizes = SIZES.filter(
  ({ width }) => LOOK_SIZES === "" || LOOK_SIZES.split(",").includes(String(width)),
);
const axe = readFileSync(
  new URL("../../web/node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);
if (LOOK_PICTURES !== "") mkdirSync(LOOK_PICTURES, { recursive: true });

const browser = await launch(CHROMIUM);
const opened = ({ width, height, hand = false }, storageState) =>
  browser.newContext({
    baseURL,
    viewport: { width, height },
    hasTouch: hand,
    reducedMotion: "reduce",
    serviceWorkers: "block",
    ...(storageState && { storageState }),
  });

/** The browser of somebody who has signed in, and the records to show to him. */
async function signedIn(email) {
  const context = await opened(SIZES.at(-1));
  const page = await context.newPage();
  await signIn(page, { email, password: PASSWORD });
  const { id } = await page.evaluate(() => JSON.parse(localStorage.getItem("userData")));
  await page.evaluate((key) => localStorage.setItem(key, "offered"), `tour${id}`);
  const records = email === ADMIN ? await demoRecords(page) : { process: await ownProcess(page) };
  const state = await context.storageState();
  await context.close();
  return { state, records };
}

/** Waits until the page has asked for all it shows and has drawn it. */
async function settled(page, waiting) {
  const end = Date.now() + PATIENCE_MS;
  let quiet = 0;
  while (quiet < 2) {
    if (Date.now() > end) return `not still after ${PATIENCE_MS} ms`;
    const busy = await page.evaluate(async (ms) => {
      await document.fonts.ready;
      await new Promise((done) => setTimeout(done, ms));
      const moving = document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === "running" && effect.getComputedTiming().endTime !== Infinity,
        );
      const page = document.querySelector("main") ?? document.body;
      return (
        moving ||
        page.innerText.trim() === "" ||
        page.querySelector(".ant-skeleton, .ant-spin-spinning, [aria-busy=true]") !== null
      );
    }, QUIET_MS);
    quiet = busy || waiting.size > 0 ? 0 : quiet + 1;
  }
  return null;
}

/** What is not as it must be on the page as it stands: one text each. */
async function faults(page, { hand, theme }) {
  const found = [];
  const over = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  if (over > 0) found.push(`wider than the window by ${over} px`);
  const cut = new Map();
  for (const { text, where, mark } of await page.evaluate(findCut)) {
    if (!hand && (await isShownWhole(page, mark, text))) continue;
    cut.set(where, [...(cut.get(where) ?? []), text]);
  }
  for (const [where, texts] of cut) {
    found.push(
      `cut: ${where}: "${texts[0]}"${texts.length > 1 ? ` and ${texts.length - 1} more` : ""}`,
    );
  }
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), {
    resultTypes: ["violations"],
    iframes: false,
    ...(theme === "dark" && { runOnly: OF_COLOURS }),
  });
  for (const { id, impact, nodes } of violations) {
    if (!SERIOUS.includes(impact)) continue;
    found.push(
      `axe ${id}: ${nodes
        .map(({ target }) => target.join(" "))
        .slice(0, 3)
        .join(", ")} (${nodes.length})`,
    );
  }
  return found;
}

/** Whether a text that is cut is shown whole where it is pointed at: it unfolds, or a tip tells it. */
async function isShownWhole(page, mark, text) {
  await page.locator(`[data-cut="${mark}"]`).hover({ timeout: 1_000, force: true });
  const left = await page.evaluate(findCut, mark);
  const tip = page.locator(".ant-tooltip:not(.ant-tooltip-hidden)").filter({ hasText: text });
  const seen =
    left.length === 0 ||
    (await tip.waitFor({ timeout: 400 }).then(
      () => true,
      () => false,
    ));
  await page.mouse.move(0, 0);
  return seen;
}

/** Run inside a page: also draw what is out of sight, which browsers else leave out of pictures and do not measure. */
function drawAll() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { content-visibility: visible !important }");
  document.adoptedStyleSheets = [sheet];
}

/** Run inside a page: whether the focus is on the button that closes a dialog. */
const isAtCloser = () => document.activeElement.matches(".ant-modal-close, .ant-drawer-close");

/** Opens a page, and whatever opens over it; its faults. */
async function lookedAt(page, waiting, { address, act, hand, theme }) {
  await page.goto(`/#${address}`);
  await page.evaluate(drawAll);
  let late = await settled(page, waiting);
  if (act !== undefined) {
    await act(page);
    late = await settled(page, waiting);
  }
  const found = await faults(page, { hand, theme });
  if (await page.evaluate(isAtCloser)) found.push("a dialog begins on the button that closes it");
  return late === null ? found : [...found, late];
}

const sum = { pages: 0, checks: 0, failures: 0 };
const say = (line) => process.stdout.write(`${line}\n`);

/** Goes through the pages of one person in one look of one size. */
async function walk(page, waiting, { size, look, pages }) {
  const name = `${size.width}x${size.height} ${look.language} ${look.theme}`;
  await page.goto("/favicon.svg");
  await page.evaluate((kept) => {
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  }, look);
  for (const { path, address, act } of pages) {
    const found = await lookedAt(page, waiting, {
      address,
      act,
      hand: size.hand === true,
      theme: look.theme,
    }).catch(({ message }) => [`cannot be looked at: ${message.split("\n")[0]}`]);
    sum.pages += 1;
    sum.checks += 4;
    sum.failures += found.length;
    for (const each of found) say(`${name} ${path}: ${each}`);
    if (LOOK_PICTURES !== "") {
      const file = `${path.replaceAll(/[^\w-]+/g, "_")}-${name.replaceAll(" ", "-")}.png`;
      await page.screenshot({ path: `${LOOK_PICTURES}/${file}`, fullPage: true });
    }
    if (act !== undefined) {
      // What was opened over a page would stay over the next one.
      await page.keyboard.press("Escape");
      await page.goto("/#/privacy");
    }
  }
}

/** One person at one size: a browser that keeps the client's files, for all looks. */
async function visit({ size, state, pages, looks }) {
  const context = await opened(size, state);
  await context.addInitScript({ content: axe });
  const page = await context.newPage();
  const waiting = new Set();
  page.on("request", (request) => void (request.isNavigationRequest() || waiting.add(request)));
  for (const event of ["requestfinished", "requestfailed"])
    page.on(event, (request) => waiting.delete(request));
  page.on("pageerror", (error) => {
    sum.failures += 1;
    say(`${page.url()}: ${error.message}`);
  });
  for (const look of looks) await walk(page, waiting, { size, look, pages });
  await context.close();
}

const listed = (paths, records) =>
  paths
    .map(([path, act]) => ({ path, act }))
    .filter(({ path }) => wanted.test(path))
    .map(({ path, act }) => ({ path, act, address: addressOf(path.replace(/#.*/, ""), records) }));
const isPublic = ({ access }) => access === "public";
const asOne = ({ path }) => [path];

const visits = [];
const add = (state, pages) => {
  if (pages.length === 0) return;
  for (const size of sizes) {
    for (const language of ["es", "en"]) {
      visits.push({
        size,
        state,
        pages,
        looks: LOOKS.filter((look) => look.language === language),
      });
    }
  }
};
const admin = await signedIn(ADMIN);
add(
  admin.state,
  listed([...ROUTES.filter((route) => !isPublic(route)).map(asOne), ...OVER], admin.records),
);
add(undefined, listed(ROUTES.filter(isPublic).map(asOne), {}));
for (const [email, paths] of OTHERS) {
  const { state, records } = await signedIn(email);
  add(
    state,
    listed(
      paths.map((path) => [`${path}#${email.split("@")[0]}`]),
      records,
    ),
  );
}

const start = Date.now();
await Promise.all(
  Array.from({ length: LANES }, async () => {
    for (let next = visits.shift(); next !== undefined; next = visits.shift()) await visit(next);
  }),
);
await browser.close();
const seconds = Math.round((Date.now() - start) / 1_000);
say(`${sum.pages} pages, ${sum.checks} checks, ${sum.failures} failures in ${seconds} s`);
process.exitCode = sum.failures > 0 ? 1 : 0;

/**
 * Measure the demo workshop from a reload of the list of lines to its rows: in a browser that was never there, and in
 * one that was, without a delay and over two slow networks. Ends with 1 above a limit.
 */
import { writeFileSync } from "node:fs";
import { launch, signIn } from "../../tests/look/chromium.mjs";
import { PASSWORD } from "../../tests/look/demo.mjs";

const TRIES = Number(process.env["TRIES"] ?? 10);
const PAGE = "/#/operations/orders";
const ROW = "tbody tr.ant-table-row";
const MBIT = 1_000_000 / 8;
/** `first` and `later`: the most milliseconds to the rows. Null: no limit. */
const NETWORKS = [
  { name: "loopback", latency: 0, mbit: null, first: 1_500, later: 500 },
  { name: "150 ms, 4 Mbit", latency: 150, mbit: 4, first: null, later: 600 },
  { name: "400 ms, 1 Mbit", latency: 400, mbit: 1, first: null, later: 800 },
];
const MOST_REQUESTS = { first: 25, later: 5 };
const baseURL = process.env["BASE_URL"];
const browser = await launch(process.env["CHROMIUM"]);
const rows = {};
let exceeded = false;

const signedIn = await browser.newContext({ baseURL });
const page = await signedIn.newPage();
await signIn(page, { email: "admin@obrador.test", password: PASSWORD });
const storageState = await signedIn.storageState();
await signedIn.close();

const medianOf = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

function show(name, value, most, unit = "") {
  const isAbove = most !== null && value > most;
  exceeded ||= isAbove;
  rows[name] = `${value}${unit}`;
  console.log(`${name.padEnd(70)} ${value}${unit}${isAbove ? `   LIMIT EXCEEDED: ${most}` : ""}`);
}

/**
 * Open the page. Returns the milliseconds to its rows, and how many requests went to the server until it was quiet,
 * without the pictures of the rows.
 */
async function opened(tab, { latency, mbit }) {
  const session = await tab.context().newCDPSession(tab);
  await session.send("Network.enable");
  const throughput = mbit === null ? -1 : mbit * MBIT;
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  const asked = new Map();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => asked.set(requestId, request.url));
  session.on("Network.requestServedFromCache", ({ requestId }) => asked.delete(requestId));
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromServiceWorker) asked.delete(requestId);
  });
  await tab.goto("about:blank");
  await tab.goto(PAGE, { waitUntil: "commit" });
  await tab.locator(ROW).first().waitFor();
  const took = await tab.evaluate(() => Math.round(performance.now()));
  await tab.waitForLoadState("networkidle");
  await session.detach();
  const sent = [...asked.values()].filter((url) => url.startsWith("http") && !url.includes("/api/images/"));
  if (process.env["SHOW"]) console.log(sent.map((url) => url.replace(baseURL, "")).join("\n"));
  return { took, requests: sent.length };
}

/** Wait until the browser has stored what it stores: the client's files, and the answers. */
const settle = (tab) =>
  tab.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await done(indexedDB.open("obrador-copy"));
    const isStored = () => done(database.transaction("copies").objectStore("copies").count());
    while ((await isStored()) === 0) await new Promise((next) => setTimeout(next, 100));
    database.close();
  });

const firsts = [];
for (let round = 0; round < TRIES; round += 1) {
  const context = await browser.newContext({ baseURL, storageState });
  const tab = await context.newPage();
  firsts.push(await opened(tab, NETWORKS[0]));
  await context.close();
}
show("First visit, loopback: to the rows", medianOf(firsts.map(({ took }) => took)), NETWORKS[0].first, " ms");
show("First visit: requests", Math.max(...firsts.map(({ requests }) => requests)), MOST_REQUESTS.first);

const context = await browser.newContext({ baseURL, storageState });
const tab = await context.newPage();
await opened(tab, NETWORKS[0]);
await settle(tab);
// One network after the other in each round: whatever slows the machine down for a while slows all of them.
const laters = new Map(NETWORKS.map((network) => [network, []]));
for (let round = 0; round < TRIES; round += 1) {
  for (const [network, visits] of laters) visits.push(await opened(tab, network));
}
for (const [network, visits] of laters) {
  const median = medianOf(visits.map(({ took }) => took));
  show(`Later visit, ${network.name}: to the rows`, median, network.later, " ms");
}
const counts = [...laters.values()].flat().map(({ requests }) => requests);
show("Later visit: requests", Math.max(...counts), MOST_REQUESTS.later);
await browser.close();
if (process.env["MEASUREMENTS"]) writeFileSync(process.env["MEASUREMENTS"], JSON.stringify(rows));
process.exitCode = exceeded ? 1 : 0;

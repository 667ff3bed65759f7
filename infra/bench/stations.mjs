/**
 * Press movements at stations, each a browser of its own. The stations lose the network in turns.
 *
 * Reads JSON: {base, browser, password, stations: [{email, token}], turn, steps: [{station, process, line, direction,
 * quantity, releases}]}; `turn` is how many steps a turn lasts. Writes {pressed: the time of each press in milliseconds,
 * seconds, offline: how many were pressed without the network, cameBack: how often a station reconnected before the end
 * of its turn, refused: how many movements the server refused}.
 */
import { text } from "node:stream/consumers";
import { launch, signIn } from "../../tests/look/chromium.mjs";

const { base, browser: executablePath, password, stations: accounts, turn, steps } = JSON.parse(await text(process.stdin));
const PATIENCE = 60_000;
const TRIES = 8;
/** Milliseconds that a station has to show the scanned line. Each try has as many more, for a busy machine. */
const SHOWN = 1_500;

const browser = await launch(executablePath);
let refused = 0;
let cameBack = 0;

class Station {
  offline = false;
  /** Line → how many of its movements the server has not answered. */
  waiting = new Map();
  #process = null;

  constructor(page, token) {
    this.page = page;
    this.token = token;
    this.button = page.locator(".ob-opened__press");
    page.on("response", (response) => this.#answered(response));
  }

  #answered(response) {
    const [, line] = /(\/api\/sales-order\/\d+\/position\/\d+)\/production-process\//.exec(response.url()) ?? [];
    if (line === undefined || response.status() >= 500 || response.status() === 401) return;
    if (!response.ok()) refused += 1;
    const left = this.waiting.get(line) - 1;
    if (left > 0) this.waiting.set(line, left);
    else this.waiting.delete(line);
  }

  async lose() {
    await this.page.context().setOffline(true);
    this.offline = true;
  }

  /** Get the network back, and wait until nothing waits and the station is live. */
  async settle() {
    await this.page.context().setOffline(false);
    this.offline = false;
    while (this.waiting.size > 0) await this.page.waitForEvent("response", { timeout: PATIENCE });
    await this.page.getByText("En vivo").first().waitFor({ timeout: PATIENCE });
  }

  async #open(id) {
    if (this.#process === id) return;
    await this.page.goto(`/#/shop-floor/station/${id}`);
    await this.page.locator(".ob-station__head").waitFor({ timeout: 10_000 });
    this.#process = id;
  }

  /** Open each process once, so that the browser keeps the client's files and the processes, as after a first day. */
  async know(processes) {
    await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    for (const id of processes) {
      await this.#open(id);
      await this.page.getByText("En vivo").first().waitFor({ timeout: PATIENCE });
    }
  }

  /** Scan the line and enter how many pieces. Returns false if the station does not know that they may move. */
  async #choose({ process: id, line, direction, quantity }, timeout) {
    const { page, button } = this;
    await this.#open(id);
    const code = line.replace(/\D+(\d+)\D+(\d+)/, "$1-$2");
    await Promise.all([...code, "Enter"].map((key) => page.keyboard.press(key)));
    try {
      await button.waitFor({ timeout });
    } catch {
      return false; // the station does not know the line, or lost a key of the scan on a busy machine
    }
    const way = page.locator(".ob-opened__direction").getByText(direction === "in" ? "Meter" : "Sacar", { exact: true });
    if ((await way.count()) > 0) await way.click();
    const isRight = async () => {
      const words = (await button.textContent({ timeout }).catch(() => null)) ?? "";
      const said = new RegExp(`^${direction === "in" ? "Meter" : "Sacar"} ${quantity} (a|de) `);
      return said.test(words) && (await button.isEnabled());
    };
    if (await isRight()) return true;
    for (const digit of String(quantity)) {
      await page.getByRole("button", { name: digit, exact: true }).click({ timeout });
    }
    return isRight();
  }

  /** Press the movement. Returns when, or null if the station does not know that it may happen. */
  async press(step, timeout) {
    const { page, button } = this;
    let chosen = false;
    try {
      chosen = await this.#choose(step, timeout);
    } catch (error) {
      if (error.name !== "TimeoutError") throw error; // the dialog closed, because the line moved
    }
    if (!chosen) {
      const back = page.locator(".ob-opened__head button");
      if ((await back.count()) > 0) await back.click({ timeout }).catch(() => undefined);
      return null;
    }
    this.waiting.set(step.line, (this.waiting.get(step.line) ?? 0) + 1);
    const pressed = Date.now();
    await button.click();
    await button.waitFor({ state: "detached" });
    return pressed;
  }
}

async function signedIn({ email, token }) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await signIn(page, { email, password });
  return new Station(page, token);
}

async function release({ line, process: id, releases }, { token }) {
  for (let count = 0; count < releases; count += 1) {
    const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": crypto.randomUUID() };
    const answer = await fetch(`${base}${line}/production-process/${id}`, { method: "DELETE", headers });
    if (!answer.ok) throw new Error(`Releasing answered ${answer.status} ${await answer.text()}`);
  }
}

const stations = [];
for (const [number, account] of accounts.entries()) {
  const station = await signedIn(account);
  const own = steps.filter(({ station: its }) => its === number).map(({ process: id }) => id);
  await station.know(new Set(own));
  stations.push(station);
}

/** Let a station reconnect before the end of its turn, to learn the state of the server. */
async function comeBack(station) {
  if (station.offline) cameBack += 1;
  await station.settle();
}

const begun = Date.now();
const pressed = [];
let offline = 0;
for (const [number, step] of steps.entries()) {
  const here = stations[step.station];
  if (number % turn === 0) {
    const away = (number / turn) % stations.length;
    for (const station of stations) await station.settle();
    await stations[away].lose();
  }
  const isAway = () => Math.floor(number / turn) % stations.length === step.station;
  // Movements that wait at another station, or here before a release, must arrive first.
  for (const station of stations) {
    if (station.waiting.has(step.line) && (station !== here || step.releases > 0)) {
      const wasOffline = station.offline;
      await comeBack(station);
      if (wasOffline && station !== here) await station.lose();
    }
  }
  await release(step, here);
  let at = null;
  for (let count = 0; at === null; count += 1) {
    if (count === TRIES) {
      const shown = await here.page.locator("body").innerText();
      throw new Error(`Step ${number} is not to be pressed: ${JSON.stringify(step)}. The station shows:\n${shown}`);
    }
    // The first repetition scans again; later ones let the station ask the server.
    if (count > 1) await comeBack(here);
    at = await here.press(step, SHOWN * (count + 1));
  }
  pressed.push(at);
  if (here.offline) offline += 1;
  else {
    await here.settle();
    if (isAway()) await here.lose();
  }
}
for (const station of stations) await station.settle();
console.log(JSON.stringify({ pressed, seconds: (Date.now() - begun) / 1_000, offline, cameBack, refused }));
await browser.close();

/** Signing out removes a person's data from a tablet, with and without a network. */
import type { APIRequestContext, Page } from "@playwright/test";
import { expect, signIn, test } from "./fixtures";
import { badgeOf, newPerson } from "./people";
import {
  approved,
  button,
  insideOf,
  keeping,
  openKept,
  openStation,
  scan,
  twoProcesses,
} from "./station";

const LOGIN = /#\/login$/;
const WAITS = /en el servidor se cerrará en cuanto vuelva la conexión/;

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Menú de / }).click();
  await page.getByRole("menuitem", { name: "Cerrar sesión" }).click();
  await expect(page).toHaveURL(LOGIN);
}

/** The stored tokens of the session and of the operator. */
const tokensOf = (page: Page) =>
  page.evaluate(() => {
    const named = Object.values({ ...sessionStorage }).map((text) => JSON.parse(text)?.token);
    return [localStorage.getItem("token"), named.find((token) => token?.startsWith("operator."))];
  }) as Promise<[string, string]>;

/** Everything that the browser stores, as text: storage, databases, and the addresses in its caches. */
const keptOn = (page: Page) =>
  page.evaluate(async () => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const name of await caches.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- a page's own few caches and stores
      for (const { url } of await (await caches.open(name)).keys()) kept.push(url);
    }
    for (const { name } of await indexedDB.databases()) {
      const request = indexedDB.open(name!);
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => request.addEventListener("success", resolve));
      const database = request.result;
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => all.addEventListener("success", resolve));
        kept.push({ [store]: all.result });
      }
      database.close();
    }
    return JSON.stringify(kept);
  });

const statusOf = async (request: APIRequestContext, process: number, token: string) => {
  const headers = { Authorization: `Bearer ${token}` };
  return (await request.get(`/api/station/${process}`, { headers })).status();
};

test("after signing out, with and without a network, a shared tablet keeps no data of a person", async ({
  apiOf,
  pageOf,
  browser,
  baseURL,
  request,
}) => {
  test.slow(); // Two sign-outs, with a service worker.
  const admin = await apiOf("admin");
  const [process] = await twoProcesses(await apiOf("worker"));
  const tablet = await newPerson(admin, ["Station"], { productionProcessIds: [process.id] });
  const rights = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"];
  const person = await newPerson(admin, rights, { productionProcessIds: [process.id] });
  const badge = await badgeOf(admin, person);
  const { line, code } = await approved(admin, 6);
  const context = await keeping(browser, baseURL ?? "", await pageOf(tablet));
  const page = await context.newPage();
  await openKept(page, process);
  await scan(page, badge);
  const named = button(page, `Trabaja ${person.name}. Cambiar`);
  await expect(named).toBeVisible();
  await expect(page.getByText(line.customerSalesOrderId).first()).toBeVisible();
  // A reload keeps the operator.
  await page.reload();
  await expect(named).toBeVisible();
  const expectOver = async (tokens: [string, string]) => {
    for (const token of tokens) {
      // oxlint-disable-next-line no-await-in-loop
      await expect.poll(() => statusOf(request, process.id, token)).toBe(401);
    }
    const kept = await keptOn(page);
    for (const each of [tokens[0], tablet.name, "/api/station", "stationOperator"]) {
      expect(kept).not.toContain(each);
    }
    return kept;
  };
  const tokens = await tokensOf(page);
  for (const token of tokens) expect(await statusOf(request, process.id, token)).toBe(200); // oxlint-disable-line no-await-in-loop

  await context.setOffline(true);
  await expect(page.getByText(/^Sin conexión: datos de las/)).toBeVisible();
  await scan(page, code);
  await button(page, `Meter 6 a ${process.name}`).click();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  await signOut(page);
  await expect(page.getByText(WAITS)).toBeVisible();
  await context.setOffline(false);
  await expectOver(tokens);
  await expect(page.getByText(WAITS)).toHaveCount(0);

  // The unsent movement waits for its operator, and is then sent in their name.
  await signIn(page, tablet);
  await openStation(page, process);
  await expect(page.getByText(`Espera a que ${person.name} se identifique`)).toBeVisible();
  await scan(page, badge);
  await expect.poll(() => insideOf(admin, line)).toBe(6);
  expect((await keptOn(page)).match(/operator\./g)).toHaveLength(1);

  const later = await tokensOf(page);
  await expect(page.getByText("1 movimiento por enviar")).toHaveCount(0);
  await signOut(page);
  const kept = await expectOver(later);
  for (const each of [later[1], person.name, line.customerSalesOrderId]) {
    expect(kept).not.toContain(each);
  }
  await context.close();
});

/** The office without its server, and the stored copy of answers from which a page begins. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { keeping } from "./station";

const rowsOf = (page: Page) => page.locator("tbody tr.ant-table-row");

/** Wait until this browser has stored all that the page shows, as it is now. */
async function copied(page: Page): Promise<void> {
  const isFresh = () =>
    page.evaluate(async () => {
      const of = <T>(request: IDBRequest<T>) =>
        new Promise<T>((done) => request.addEventListener("success", () => done(request.result)));
      const database = await of(indexedDB.open("obrador-copy"));
      const store = database.transaction("copies").objectStore("copies");
      const copy = await of<{ answers: { key: string[]; isFresh: boolean }[] }>(store.get("last"));
      database.close();
      return copy?.answers.some(({ key, isFresh: fresh }) => key[2] === "list" && fresh) ?? false;
    });
  await expect.poll(isFresh).toBe(true);
}

test("a page of the office opens without a server, shows what it had, and says that it can only be read", async ({
  browser,
  baseURL,
  pageOf,
}) => {
  const context = await keeping(browser, baseURL ?? "", await pageOf("sales"));
  const page = await context.newPage();
  await page.goto("/#/operations/orders");
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.reload();
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await copied(page);
  const names = () => rowsOf(page).getByRole("link").allTextContents();
  const shown = await names();
  expect(shown.length).toBeGreaterThan(1);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText("Sin conexión: solo lectura")).toBeVisible();
  await expect(page.getByText(/datos de las \d\d:\d\d/)).toBeVisible();
  expect(await names()).toEqual(shown);
  await page.goto("/#/home");
  await page.reload();
  await expect(page.getByText("Sin conexión: solo lectura")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await context.close();
});

test("a copy and the 300 events since then show the same as a fresh load", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const seen = await api.order(3, 4, 5);
  const own = await pageOf("sales", { own: true });
  const context = own.context();
  await own.goto("/#/operations/orders");
  await expect(rowsOf(own).first()).toBeVisible();
  await expect(own.getByText("En vivo", { exact: true })).toBeVisible();
  await copied(own);
  await own.close();

  for (const position of [1, 2]) await api.approve(seen.id, position); // oxlint-disable-line no-await-in-loop -- one after the other
  const many = await api.order(...Array.from({ length: 150 }, () => 2));
  await api.call("POST", `/api/sales-order/${many.id}/approve`);
  const filed = await api.order(...Array.from({ length: 150 }, () => 2));
  await api.call("POST", `/api/sales-order/${filed.id}/approve`);
  await api.call("DELETE", `/api/sales-order/${(await api.order(1)).id}`);

  const again = await context.newPage();
  await again.goto("/#/operations/orders");
  await expect(again.getByText("En vivo", { exact: true })).toBeVisible();
  const fresh = await pageOf("sales", { own: true });
  await fresh.goto("/#/operations/orders");
  await expect(rowsOf(fresh).first()).toBeVisible();
  await expect
    .poll(async () => rowsOf(again).allTextContents())
    .toEqual(await rowsOf(fresh).allTextContents());
});

test("signing out leaves nothing of the copy to the next account of this browser", async ({
  pageOf,
}) => {
  const page = await pageOf("sales", { own: true });
  await page.goto("/#/operations/orders");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await copied(page);
  await page.evaluate(() => localStorage.removeItem("token"));
  await page.reload();
  await expect(page.locator("#email")).toBeVisible();
  const left = () =>
    page.evaluate(async () => (await indexedDB.databases()).map((one) => one.name));
  await expect.poll(left).not.toContain("obrador-copy");
});

for (const [how, block] of [
  ["is missing", () => Object.defineProperty(globalThis, "indexedDB", { value: undefined })],
  [
    "throws",
    () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("", "SecurityError");
      };
    },
  ],
  [
    "is full",
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("", "QuotaExceededError");
      };
    },
  ],
] as const) {
  test(`a page works from memory where the storage of the copy ${how}`, async ({ pageOf }) => {
    const page = await pageOf("sales", { own: true });
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.addInitScript(block);
    for (let visit = 0; visit < 2; visit += 1) {
      // oxlint-disable no-await-in-loop -- one visit after the other
      await page.goto("about:blank");
      await page.goto("/#/operations/orders");
      await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
      await expect(rowsOf(page).first()).toBeVisible();
      // oxlint-enable no-await-in-loop
    }
    expect(errors).toEqual([]);
  });
}

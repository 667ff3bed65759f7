/** A page asks the server for nothing twice at its start. */
import type { Page } from "@playwright/test";
import { expect, expectSaved, test, unique } from "./fixtures";

/** The calls of the page to the API from now on, by method and address. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(api|identity)\//.test(pathname))
      calls.push(`${request.method()} ${pathname}${search}`);
  });
  return calls;
}

/** Keep events from the page: what changed a moment ago is rightly loaded again. */
async function withoutEvents(page: Page): Promise<void> {
  await page.routeWebSocket(/\/ws\/events/, (socket) => {
    socket.connectToServer().onMessage((frame) => {
      const { type } = JSON.parse(String(frame)) as { type: string };
      if (type === "hello" || type === "reset") socket.send(frame);
    });
  });
}

test(
  "home, the lines and an order ask for nothing twice at the start",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const order = await (await apiOf("sales")).order(3, 4);
    for (const [path, shown] of [
      ["/#/home", "Atrasadas"],
      [`/#/operations/orders?search=${order.customerSalesOrderId}`, order.customerSalesOrderId],
      [`/#/operations/sales-orders/${order.id}`, order.customerSalesOrderId],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one page after the other
      const page = await pageOf("sales", { own: true });
      await page.clock.install();
      await withoutEvents(page);
      const calls = callsOf(page);
      await page.goto(path);
      await expect(page.getByText(shown).first()).toBeVisible();
      await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
      // Anything that waits its turn to be loaded again is due within this time.
      await page.clock.runFor(15_000);
      await page.waitForLoadState("networkidle");
      // oxlint-enable no-await-in-loop
      expect(calls.length, path).toBeGreaterThan(3);
      expect(calls.toSorted(), path).toEqual([...new Set(calls)].toSorted());
    }
  },
);

test("a list is loaded once after a record was saved, for the answer and its event", async ({
  pageOf,
}) => {
  const page = await pageOf("admin", { own: true });
  await page.clock.install();
  await page.goto("/#/catalogs/materials");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Nuevo material" }).first().click();
  const form = page.getByRole("dialog", { name: "Nuevo material" });
  const name = `Material ${unique()}`;
  await form.getByLabel("Nombre", { exact: true }).fill(name);
  const calls = callsOf(page);
  await form.getByRole("button", { name: "Guardar", exact: true }).click();
  await expectSaved(page, name);
  await expect(page.getByRole("cell", { name })).toBeVisible();
  await page.clock.runFor(10_000);
  await page.waitForLoadState("networkidle");
  expect(calls.filter((call) => call.startsWith("GET /api/materials"))).toHaveLength(1);
});

/** The requests of the page that reach the server from now on, without pictures: those from its cache are none. */
async function requestsOf(page: Page): Promise<() => string[]> {
  const asked = new Map<string, string>();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ requestId, request: { url } }) => {
    if (url.startsWith("http") && !url.includes("/api/images/")) asked.set(requestId, url);
  });
  session.on("Network.requestServedFromCache", ({ requestId }) => asked.delete(requestId));
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromServiceWorker) asked.delete(requestId);
  });
  return () => {
    const found = [...asked.values()];
    asked.clear();
    return found;
  };
}

test("a first visit to the lines takes at most 25 requests, and a later one 5", async ({
  pageOf,
}) => {
  const page = await pageOf("sales", { own: true });
  await withoutEvents(page);
  const requests = await requestsOf(page);
  const rows = page.locator("tbody tr.ant-table-row");
  for (const most of [25, 5]) {
    // oxlint-disable no-await-in-loop -- one visit after the other
    await page.goto("about:blank");
    requests();
    await page.goto("/#/operations/orders");
    await expect(rows.first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    // oxlint-enable no-await-in-loop
    const found = requests();
    expect(found.length, found.join("\n")).toBeGreaterThan(1);
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(most);
  }
});

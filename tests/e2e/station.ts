/** Helpers for the journeys at a station. */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { Line, SalesOrder } from "@/contract";
import { expect, unique, type Api } from "./fixtures";

export interface Process {
  id: number;
  name: string;
}

export async function twoProcesses(api: Api): Promise<[Process, Process]> {
  const path = "/api/production-processes?status=true&filterByUser=true";
  const [first, second] = await api.call<Process[]>("GET", path);
  if (first === undefined || second === undefined) throw new Error("Two processes are needed.");
  return [first, second];
}

/**
 * Undo the last press at a station, not in the first second: there a tap near the one before counts as the same tap.
 */
export const undoLast = (page: Page) =>
  page
    .getByRole("complementary")
    .getByRole("button", { name: /^Deshacer(?! \(5\))/ })
    .click();

/** Create a product that usually takes these processes, because its last finished line did. Returns its id. */
export async function productOf(admin: Api, route: readonly Process[]): Promise<number> {
  const key = unique();
  const { id } = await admin.call<{ id: number }>("POST", "/api/items", {
    key,
    name: `Anillo ${key}`,
    measures: "Talla 7",
    sellPrice: 5,
    currency: "USD",
  });
  const { line } = await approved(admin, 1, id);
  for (const process of route) {
    // oxlint-disable no-await-in-loop -- one step after the other
    await admin.move("in", line, process.id);
    await admin.move("out", line, process.id);
    // oxlint-enable no-await-in-loop
  }
  await admin.call("PUT", `/api/sales-order/${line.salesOrderId}/position/1/update-status/Done`);
  return id;
}

/**
 * Create an approved line, of the demo's first product unless `itemId` is given. Returns it with the code that its sheet
 * prints beside the QR code.
 */
export async function approved(
  admin: Api,
  quantity: number,
  itemId?: number,
): Promise<{ line: Line; code: string }> {
  const order =
    itemId === undefined
      ? await admin.order(quantity)
      : await admin.call<SalesOrder>("POST", "/api/sales-order", {
          customerId: await admin.firstId("customers"),
          customerSalesOrderId: `E2E-${unique()}`,
          items: [{ itemId, quantity }],
        });
  // Make it the most urgent: the queue of a station holds the fifty most urgent lines.
  await admin.call("PUT", `/api/sales-order/${order.id}/position/1/full`, {
    deliveryDate: "2020-01-01",
  });
  const line = await admin.approve(order.id);
  return { line, code: `${order.id}-1` };
}

export const lineNow = (api: Api, { salesOrderId }: Pick<Line, "salesOrderId">) =>
  api.call<Line>("GET", `/api/sales-order/${salesOrderId}/position/1`);

export const insideOf = async (api: Api, line: Line) => (await lineNow(api, line)).quantityInside;

export async function openStation(page: Page, process: Process): Promise<void> {
  await page.goto(`/#/shop-floor/station/${process.id}`);
  await expect(page.getByRole("heading", { level: 1, name: process.name })).toBeVisible();
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
}

/** A context with a service worker that caches the client's files, signed in as the person of the page `lent`. */
export async function keeping(
  browser: Browser,
  baseURL: string,
  lent: Page,
): Promise<BrowserContext> {
  const { origins } = await lent.context().storageState();
  return browser.newContext({
    baseURL,
    reducedMotion: "reduce",
    storageState: {
      cookies: [],
      origins: origins.map(({ localStorage }) => ({
        origin: baseURL,
        localStorage,
      })),
    },
  });
}

/** Open the station from cached files, as on any day but the first. */
export async function openKept(page: Page, process: Process): Promise<void> {
  await openStation(page, process);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.reload();
  await openStation(page, process);
}

/** Milliseconds between two keys of a scanner. */
const BETWEEN_KEYS = 5;

/**
 * Type a code as a scanner does: quickly, wherever the focus is. Each key bears its own time, so that a
 * busy machine tears no code.
 */
export async function scan(page: Page, code: string): Promise<void> {
  const keys = [...code, "Enter"];
  const began = Date.now() - keys.length * BETWEEN_KEYS;
  const devtools = await page.context().newCDPSession(page);
  await Promise.all(
    keys.flatMap((key, place) => {
      const text = key === "Enter" ? "\r" : key;
      const pressed = {
        key,
        windowsVirtualKeyCode: key === "Enter" ? 13 : key.toUpperCase().charCodeAt(0),
        timestamp: (began + place * BETWEEN_KEYS) / 1_000,
      };
      return [
        devtools.send("Input.dispatchKeyEvent", { type: "keyDown", text, ...pressed }),
        devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed }),
      ];
    }),
  );
  await devtools.detach();
}

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Markup that people type is shown as text on every screen, and never runs. */
import { readFileSync } from "node:fs";
import type { SalesOrder } from "@/contract";
import { expect, test, unique, type Api, type Somebody } from "./fixtures";
import { newPerson } from "./people";

const HURTS = "<img src=x onerror=window.hurt=1>";
const LONG = `${HURTS}<svg onload=window.hurt=1></svg>"><script>window.hurt=1</script>`;

/** Each route in the product's table. Routes that it builds in a loop are listed here. */
function routes(): string[] {
  const table = readFileSync("src/app/routes.tsx", "utf8");
  const found = [...table.matchAll(/path: "(\/[^"]*)"/g)].map(([, path]) => path!);
  const made = ["", "/new", "/:id", "/:id/lines", "/:id/position/:position"];
  return [...new Set([...found, ...made.map((rest) => `/operations/sales-orders${rest}`)])];
}

const MOVES = ["ShopFloor", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"];

const made = async (api: Api, path: string, body: object) =>
  (await api.call<{ id: number }>("POST", path, body)).id;

/** Create a record of each kind that holds text, with the attack in its texts. */
async function typed(api: Api, apiOf: (who: Somebody) => Promise<Api>) {
  const name = `${HURTS} ${unique()}`;
  const processId = await made(api, "/api/production-processes", { name, order: 900 });
  const person = await newPerson(api, MOVES, {
    firstName: HURTS,
    productionProcessIds: [processId],
  });
  await made(api, "/api/materials", { name });
  await made(api, "/api/components", { name });
  const place = { kind: "Commercial", street: HURTS, city: HURTS, country: "MX" };
  const customerId = await made(api, "/api/customers", {
    name,
    addresses: [place],
    currency: "USD",
  });
  const product = { key: HURTS + unique().slice(-6), name, sellPrice: 10, currency: "USD" };
  const texts = { descriptionSpanish: LONG, descriptionEnglish: LONG };
  const itemId = await made(api, "/api/items", { ...product, ...texts });
  const line = { itemId, quantity: 3, deliveryDate: "2020-01-01", notes: LONG };
  const order = await api.call<SalesOrder>("POST", "/api/sales-order", {
    customerId,
    customerSalesOrderId: HURTS + unique().slice(-6),
    notes: LONG,
    items: [line, line],
  });
  const hand = await apiOf(person);
  for (const position of [1, 2]) {
    // oxlint-disable no-await-in-loop -- one step after the other
    const approved = await api.approve(order.id, position);
    await hand.move("in", approved, processId);
    if (position === 1) continue;
    await hand.move("out", approved, processId);
    const path = `/api/sales-order/${order.id}/position/${position}`;
    await api.call("PUT", `${path}/update-status/Done`);
    // oxlint-enable no-await-in-loop
  }
  const bill = await made(api, "/api/deliveries", {
    preBill: true,
    customerId,
    notes: LONG,
    lines: [{ salesOrderId: order.id, position: 2, quantity: 1 }],
  });
  return { order: order.id, processId, bill, person: person.id };
}

// After the others: its long names stand on the board and in every list.
test("markup in typed text runs on no page", { tag: "@alone" }, async ({ apiOf, pageOf }) => {
  test.setTimeout(180_000);
  const { order, processId, bill, person } = await typed(await apiOf("admin"), apiOf);
  const page = await pageOf("admin");
  const refused: string[] = [];
  page.on("console", (said) => {
    if (said.text().includes("Content Security Policy"))
      refused.push(`${page.url()}: ${said.text()}`);
  });
  for (const path of routes()) {
    const address = path
      .replace(":id", String(path.includes("/bills/") ? bill : order))
      .replace(":position", "1")
      .replace(":processId", String(processId))
      .replace(":email", encodeURIComponent(HURTS))
      .replace(":token", encodeURIComponent(HURTS));
    // oxlint-disable no-await-in-loop -- one page after the other
    await page.goto(`/#${address}?search=${encodeURIComponent(HURTS)}&record=${person}`);
    await expect(page.locator("#root")).not.toBeEmpty();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => "hurt" in window), address).toBe(false);
    // oxlint-enable no-await-in-loop
  }
  expect(refused, "markup that only the policy kept from running").toEqual([]);
});

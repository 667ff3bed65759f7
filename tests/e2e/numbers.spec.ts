/** The client never loses input: it sends what is on the screen. */
import type { Locator, Page } from "@playwright/test";
import type { Line } from "@/contract";
import { expect, test, type Api } from "./fixtures";

/** Create a line with 18 pieces inside a process. */
async function inside(api: Api): Promise<{ line: Line; processId: number; process: string }> {
  const processId = await api.firstId("production-processes");
  const order = await api.order(18);
  const line = await api.move("in", await api.approve(order.id), processId);
  return { line, processId, process: line.currentProductionProcess!.productionProcessName };
}

async function openPopup(page: Page, line: Line): Promise<Locator> {
  await page.goto(`/#/operations/sales-orders/${line.salesOrderId}/position/1/a`);
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Sacar \d+ de / }).click();
  await page.locator(".ob-choices__choice").first().click();
  return page.getByRole("dialog").filter({ has: page.locator(".ob-confirm") });
}

const pieces = (popup: Locator) => popup.getByLabel("Piezas", { exact: false });
const send = (popup: Locator) => popup.getByRole("button", { name: /^Sacar/ });
const quantityInside = async (api: Api, { salesOrderId }: Line) =>
  (await api.call<Line>("GET", `/api/sales-order/${salesOrderId}/position/1`)).quantityInside;

test("when a colleague moves pieces, an open popup keeps its number and says who and how many are left", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { line, processId, process } = await inside(api);
  const page = await pageOf("admin", { size: "handheld" });
  const popup = await openPopup(page, line);
  await pieces(popup).fill("12");
  await popup.getByLabel("Notas").fill("Segundo lote");

  const colleague = await pageOf("worker");
  const other = await openPopup(colleague, line);
  await pieces(other).fill("10");
  await other.getByRole("button", { name: `Sacar 10 piezas de ${process}` }).click();
  await expect(other).toBeHidden();

  const note = popup.getByRole("alert").filter({ hasText: "La línea cambió" });
  await expect(note).toContainText(
    `Tomás Aguilar Reyes sacó 10 piezas de ${process}; quedan 8 dentro`,
  );
  await expect(pieces(popup)).toHaveValue("12");
  await expect(popup.getByText("Solo hay 8 dentro")).toBeVisible();
  await expect(send(popup)).toBeDisabled();
  await pieces(popup).fill("8");
  await popup.getByRole("button", { name: "Sacar 8 piezas" }).click();
  await expect(popup).toBeHidden();
  expect(await quantityInside(api, line)).toBe(0);
  const [record] = await api.call<{ outputNotes: string }[]>(
    "GET",
    `/api/sales-order/${line.salesOrderId}/position/1/history`,
  );
  expect(record?.outputNotes ?? "", String(processId)).toBe("Segundo lote");
});

test("the popup stays open while a movement is sent, and retries after failures make it once", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { line, process } = await inside(api);
  const page = await pageOf("admin");
  const popup = await openPopup(page, line);
  await pieces(popup).fill("5");
  await popup.getByLabel("Notas").fill("Con prisa");
  const sent: { key: string | undefined; body: string | null }[] = [];
  let way: "down" | "ill" | "lost" | "up" = "down";
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/production-process/out", async (route) => {
    const request = route.request();
    sent.push({ key: request.headers()["idempotency-key"], body: request.postData() });
    await held;
    if (way === "down") return route.abort("connectionrefused");
    if (way === "ill") return route.fulfill({ status: 503, json: {} });
    if (way === "up") return route.fallback();
    await route.fetch();
    return route.abort("connectionreset");
  });
  const button = popup.getByRole("button", { name: `Sacar 5 piezas de ${process}` });
  const stays = async (said: RegExp) => {
    await expect(popup.getByRole("alert").filter({ hasText: said })).toBeVisible();
    await expect(pieces(popup)).toHaveValue("5");
    await expect(popup.getByLabel("Notas")).toHaveValue("Con prisa");
    await expect(button).toBeEnabled();
  };
  await button.click();
  await expect(popup.getByRole("button", { name: "Cerrar" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(pieces(popup)).toHaveValue("5");
  answer();
  await stays(/Lo que escribió sigue aquí/);
  way = "ill";
  await button.click();
  await stays(/Ocurrió un error/);
  await expect(
    page.locator(".ob-toast").filter({ hasText: "Ocurrió un error, inténtalo de nuevo" }),
  ).toBeVisible();
  way = "lost";
  await button.click();
  await stays(/Lo que escribió sigue aquí/);
  // The movement was made, and this screen follows it. The retry sends the same body under the same key.
  await expect.poll(() => quantityInside(api, line)).toBe(13);
  await expect(popup).toContainText("quedan 13 dentro");
  way = "up";
  await button.click();
  await expect(popup).toBeHidden();
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent).toHaveLength(4);
  expect(JSON.parse(sent[0]?.body ?? "{}")).toMatchObject({ quantity: 5, notes: "Con prisa" });
  expect(await quantityInside(api, line)).toBe(13);
});

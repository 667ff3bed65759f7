/** The client never changes a typed number and never loses input: it sends what is on the screen. */
import type { Locator, Page } from "@playwright/test";
import type { Line } from "@/contract";
import {
  cell,
  chooseProduct,
  expect,
  expectSaved,
  fillOrder,
  test,
  unique,
  type Api,
} from "./fixtures";
import { expectAccessible } from "./looks";

/** Create a line with 18 pieces inside a process. */
async function inside(api: Api): Promise<{ line: Line; processId: number; process: string }> {
  const processId = await api.firstId("production-processes");
  const order = await api.order(18);
  const line = await api.move("in", await api.approve(order.id), processId);
  return { line, processId, process: line.currentProductionProcess!.productionProcessName };
}

async function openPopup(page: Page, line: Line): Promise<Locator> {
  await page.goto(`/#/operations/sales-orders/${line.salesOrderId}/position/1/a`);
  await expect(page.getByText("En vivo")).toBeVisible();
  await page.getByRole("button", { name: "Salir", exact: true }).click();
  await page.locator(".ob-choices__choice").first().click();
  return page.getByRole("dialog").filter({ has: page.locator(".ob-confirm") });
}

const pieces = (popup: Locator) => popup.getByLabel("Piezas", { exact: false });
const send = (popup: Locator) => popup.getByRole("button", { name: /^Sacar/ });
const quantityInside = async (api: Api, { salesOrderId }: Line) =>
  (await api.call<Line>("GET", `/api/sales-order/${salesOrderId}/position/1`)).quantityInside;

test("wrong quantities are refused in words, and a reload keeps the draft", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { line, process } = await inside(api);
  const page = await pageOf("admin");
  const popup = await openPopup(page, line);
  await expect(pieces(popup)).toHaveValue("18");
  const wrong = [
    ["25", "Solo hay 18 dentro"],
    ["", "Escriba cuántas"],
    ["0", "Debe ser 1 o más"],
    ["-3", "Debe ser 1 o más"],
    ["1.5", "Escriba un número entero"],
    ["abc", "Escriba un número, solo con cifras"],
    ["1,200", "Escríbalo sin separadores: 1200"],
  ] as const;
  for (const [text, why] of wrong) {
    // oxlint-disable no-await-in-loop -- one after the other, as a person types
    await pieces(popup).fill(text);
    await pieces(popup).blur();
    await expect(pieces(popup)).toHaveValue(text);
    await expect(popup.getByRole("alert")).toHaveText(why);
    await expect(pieces(popup)).toHaveAttribute("aria-invalid", "true");
    await expect(send(popup)).toBeDisabled();
    await pieces(popup).press("Enter");
    await pieces(popup).press("Control+Enter");
    // oxlint-enable no-await-in-loop
  }
  await expectAccessible(page, "a wrong number");
  expect(await quantityInside(api, line)).toBe(18);

  await pieces(popup).fill("5");
  await popup.getByLabel("Notas").fill("Con prisa");
  await page.reload(); // As after a new sign-in, the page starts empty.
  await page.getByRole("button", { name: "Salir", exact: true }).click();
  await expect(popup.getByRole("status")).toContainText("Recuperamos");
  await expect(pieces(popup)).toHaveValue("5");
  await expect(popup.getByLabel("Notas")).toHaveValue("Con prisa");
  await popup.getByRole("button", { name: "Cerrar" }).click();
  await openPopup(page, line);
  await expect(pieces(popup)).toHaveValue("18");

  await pieces(popup).fill("7");
  await pieces(popup).press("ArrowUp");
  await pieces(popup).hover();
  await page.mouse.wheel(0, 300);
  await expect(pieces(popup)).toHaveValue("7");
  await popup.getByRole("button", { name: "Todas (18)" }).click();
  await expect(pieces(popup)).toHaveValue("18");
  await pieces(popup).fill("7");
  await popup.getByRole("button", { name: `Sacar 7 piezas de ${process}` }).click();
  await expect(page.getByText(`7 piezas fuera de ${process}`)).toBeVisible();
  expect(await quantityInside(api, line)).toBe(11);
});

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

test("a new order asks about a repeated product, and refuses wrong quantities beside their field", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("sales");
  await page.goto("/#/operations/sales-orders/new");
  const po = `E2E-${unique()}`;
  const { item } = await fillOrder(page, po);
  const question = page.getByRole("group", { name: "Producto repetido, línea 2" });
  await chooseProduct(page, item, 2);
  await expect(question).toContainText("Ya está en la línea 1.");
  // The quantities cannot be added before the second is typed, and saving waits for the answer.
  await expect(question.getByRole("button", { name: "Sumar a la línea 1" })).toBeDisabled();
  await cell(page, "Cantidad", 2).fill("5");
  await page.getByRole("button", { name: "Guardar orden" }).click();
  await expect(cell(page, "Producto", 2)).toBeFocused();
  await question.getByRole("button", { name: "Sumar a la línea 1" }).click();
  await expect(cell(page, "Cantidad")).toHaveValue("12");
  await expect(cell(page, "Cantidad")).toBeFocused();
  await chooseProduct(page, item, 2);
  await question.getByRole("button", { name: "Conservar ambas" }).click();
  await expect(question).toBeHidden();
  await expect(page.locator(".ob-grid__row")).toHaveCount(3);
  await page.getByRole("button", { name: /^Quitar la línea 2/ }).click();
  await expect(page.locator(".ob-grid__row")).toHaveCount(2);

  const quantity = cell(page, "Cantidad");
  const save = page.getByRole("button", { name: "Guardar orden" });
  await quantity.fill("");
  await save.click();
  await expect(page.getByText("Escriba cuántas")).toBeVisible();
  await expect(quantity).toBeFocused();
  for (const [text, why] of [
    ["0", "Debe ser 1 o más"],
    ["-3", "Debe ser 1 o más"],
    ["99999999999", "Debe ser 10,000,000 o menos"],
    ["2.5", "Escriba un número entero"],
  ] as const) {
    // oxlint-disable no-await-in-loop
    await quantity.fill(text);
    await quantity.blur();
    await expect(quantity).toHaveValue(text);
    await expect(page.getByText(why)).toBeVisible();
    await expect(page.getByText("Total: 1 línea · —")).toBeVisible();
    await expect(save).toBeDisabled();
    // oxlint-enable no-await-in-loop
  }
  // A reload keeps the wrong quantity too.
  await page.reload();
  await expect(quantity).toHaveValue("2.5");
  await expect(save).toBeDisabled();
  await quantity.fill("3");
  await save.click();
  await expectSaved(page);
  const [order] = await api.call<{ id: number }[]>("GET", `/api/sales-order?search=${po}`);
  const line = await api.call<Line>("GET", `/api/sales-order/${order!.id}/position/1`);
  expect(line.quantity).toBe(3);
});

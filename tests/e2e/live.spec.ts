/** People move a line; the line, history, board and list on other screens follow. */
import type { Page } from "@playwright/test";
import { expect, test, type Person, type Size } from "./fixtures";

const line = (orderId: number) => `/#/operations/sales-orders/${orderId}/position/1/a`;

async function move(page: Page, button: "Meter" | RegExp, process: string): Promise<void> {
  await page.getByRole("article").getByRole("button", { name: button, exact: true }).click();
  const popup = page.getByRole("dialog").last();
  await popup.getByText(process, { exact: true }).click();
  await popup.getByRole("button", { name: /^(Meter|Sacar) \d+ piezas/ }).click();
  await expect(popup).toBeHidden();
}

test(
  "approvals and movements of a line appear on other screens",
  { tag: "@servers" },
  async ({ apiOf, pageOf }) => {
    const order = await (await apiOf("sales")).order(20);
    const open = async (person: Person, path: string, size: Size = "office") => {
      const page = await pageOf(person, { size });
      await page.goto(path);
      await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
      return page;
    };
    const seller = await open("sales", line(order.id));
    const list = await open(
      "sales",
      `/#/operations/sales-orders?search=${order.customerSalesOrderId}`,
    );
    // On a phone the board shows every card; on a wall they take turns.
    const board = await open("boss", "/#/shop-floor", "handheld");
    const boss = await open("boss", line(order.id));
    const worker = await open("worker", line(order.id));
    const card = board.getByRole("listitem").filter({ hasText: order.customerSalesOrderId });
    const row = list.getByRole("row").filter({ hasText: order.customerSalesOrderId });
    await expect(row).toContainText("Nuevo");

    await boss.getByRole("button", { name: /Cambiar estado$/ }).click();
    const popup = boss.getByRole("dialog").last();
    await popup.getByText("Aprobada", { exact: true }).click();
    await popup.getByRole("button", { name: "Aceptar" }).click();
    await expect(seller.getByText("Aprobada", { exact: true })).toBeVisible();
    await expect(row).toContainText("Aprobada");

    await move(worker, "Meter", "Fundición");
    await expect(seller.getByText("En proceso", { exact: true }).first()).toBeVisible();
    await expect(seller.getByText("Salir de Fundición")).toBeVisible();
    await expect(seller.getByText(/Tomás Aguilar Reyes/).first()).toBeVisible();
    await expect(row).toContainText("En proceso");
    await expect(card).toContainText("20/20");

    await seller.getByRole("button", { name: "Ver historial" }).click();
    const history = seller.getByRole("dialog").getByRole("row").filter({ hasText: "Fundición" });
    await expect(history).toHaveCount(1);
    await expect(history).toContainText("Tomás Aguilar Reyes");

    await move(worker, /^Sacar 20 de /, "Fundición");
    await expect(card).toHaveCount(0);
    await move(worker, "Meter", "Corte de árbol");
    await expect(card).toHaveCount(1);
    await expect(
      seller.getByRole("dialog").getByRole("row").filter({ hasText: "Corte de árbol" }),
    ).toHaveCount(1);
  },
);

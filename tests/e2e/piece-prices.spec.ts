/** A week paid with prices by product: set in the grid by keyboard, earned at the exit, and kept on the slip. */
import type { Item, Line, Payable, SalesOrder } from "@/contract";
import { expect, expectSaved, test, unique, type Api } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";
import { newPerson } from "./people";
import { money, PATH, through } from "./piecework";

const WORKER = ["ShopFloor", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"];

async function approved(admin: Api, itemId: number, quantity: number): Promise<Line> {
  const order = await admin.call<SalesOrder>("POST", "/api/sales-order", {
    customerId: await admin.firstId("customers"),
    customerSalesOrderId: `E2E-${unique()}`,
    items: [{ itemId, quantity, deliveryDate: "2099-12-31" }],
  });
  return admin.approve(order.id);
}

for (const size of ["office", "tablet"] as const) {
  test(`a week is paid with prices by product: ${size}`, async ({ apiOf, pageOf }) => {
    test.slow();
    const admin = await apiOf("admin");
    const mark = unique();
    const process = `Engaste ${mark}`;
    const made = await admin.call<{ id: number }>("POST", "/api/production-processes", {
      name: process,
      order: 900,
      price: 4,
    });
    const [ring, chain] = await Promise.all(
      ["A", "B"].map((letter) =>
        admin.call<Item>("POST", "/api/items", {
          key: `P-${mark}-${letter}`,
          name: `Pieza ${letter} ${mark}`,
        }),
      ),
    );
    const worker = await newPerson(admin, WORKER, { productionProcessIds: [made.id] });
    const page = await pageOf("admin", { size });

    await page.goto(`/#/catalogs/piece-prices?search=${mark}`);
    const cellOf = (product: string) =>
      page.getByRole("textbox", { name: `Precio de ${product} en ${process}`, exact: true });
    const [first, second] = [ring!, chain!].map(({ key, name }) => cellOf(`${key} ${name}`));
    await expect(first!).toHaveAttribute("placeholder", "4.00");
    await first!.fill("7.5");
    await first!.press("Enter");
    await expect(second!).toBeFocused();
    await page.keyboard.type("3.2 / g");
    await expectAccessible(page, "piece prices");
    await expectWithin(page, "piece prices");
    await page.getByRole("button", { name: "Guardar", exact: true }).click();
    await expect(page.getByText("2 precios guardados")).toBeVisible();
    await expect(second!).toHaveValue("3.20/g");
    await expect(page.getByRole("region", { name: "Precios cambiados" })).toBeHidden();

    const api = await apiOf(worker);
    await through(api, await approved(admin, ring!.id, 10), made.id);
    await through(api, await approved(admin, chain!.id, 4), made.id);

    const due = money(75);
    await page.goto("/#/reports/pay-orders");
    const person = page.locator(".ob-owed__person", { hasText: worker.name });
    await expect(person).toContainText("Además, 4 piezas por pesar");
    await page.getByRole("button", { name: new RegExp(`^${worker.name}`) }).click();
    await page.getByRole("button", { name: `Pagar ${due} a ${worker.name}`, exact: true }).click();
    await page.getByRole("button", { name: `Sí, pagar ${due} a ${worker.name}` }).click();
    await expectSaved(page);

    const cells = [{ productionProcessId: made.id, itemId: ring!.id, unit: "piece", price: 99 }];
    await admin.call("PUT", "/api/process-item-prices", { cells });
    await page.getByRole("link", { name: /^Pago #\d+$/ }).click();
    const payment = page.getByRole("dialog", { name: /^Pago #/ });
    await expect(payment.getByText(money(7.5)).first()).toBeVisible();
    await expect(payment.getByText(due).first()).toBeVisible();
    const left = await admin.call<Payable[]>("GET", `${PATH}?userId=${worker.id}&pending=true`);
    expect(left).toMatchObject([{ remainingQuantity: 4, unit: "gram", price: 3.2 }]);
  });
}

/** Piecework is paid in part and canceled; the worker's card and other clerks follow. */
import { readFile } from "node:fs/promises";
import type { Payable } from "@/contract";
import { expectAccessible } from "./looks";
import { expect, expectSaved, signIn, test } from "./fixtures";
import { newPerson } from "./people";
import { money, PATH, workDone } from "./piecework";

test("a part is paid and canceled with a reason, and the worker's card follows", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { worker, order, process } = await workDone(admin, apiOf);
  const home = await pageOf(worker);
  await home.goto("/#/home");
  const card = home.getByRole("region", { name: "Mi destajo" });
  const figure = (name: string) =>
    card
      .locator("div")
      .filter({ has: home.getByText(name, { exact: true }) })
      .getByRole("definition");
  await expect(home.getByText("En vivo", { exact: true })).toBeVisible();
  await expect(figure("Hoy")).toHaveText(money(10 * process.price));
  await expect(figure("Por cobrar")).toHaveText(money(10 * process.price));
  await expect(figure("Cobrado")).toHaveText(money(0));

  const page = await pageOf("admin");
  await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
  const row = page.getByRole("row", { name: new RegExp(order.customerSalesOrderId) });
  await expect(row).toContainText(worker.name);
  await row.getByRole("checkbox").check();
  const bar = page.getByRole("region", { name: "Registros elegidos" });
  await expect(bar.getByRole("status")).toHaveText("1 de 1 seleccionados · 10 piezas");
  const whole = `Pagar ${money(10 * process.price)} a ${worker.name}`;
  await bar.getByRole("button", { name: `${whole}…` }).click();
  const drawer = page.getByRole("dialog", { name: "Pagar destajo" });
  await expect(drawer.getByText(worker.name).first()).toBeVisible();
  await expectAccessible(page, "pay drawer");
  await expect(drawer.getByRole("button", { name: whole, exact: true })).toBeVisible();
  await drawer.getByLabel("Piezas").fill("11");
  await expect(drawer.getByText("Solo quedan 10 por pagar")).toBeVisible();
  await expect(drawer.getByRole("button", { name: "Pagar", exact: true })).toBeDisabled();
  await expect(drawer.getByRole("status").filter({ hasText: "Total" })).toHaveText(
    "Total Revise los datos marcados —",
  );
  await drawer.getByLabel("Piezas").fill("4");
  await drawer.getByLabel("Precio").fill("1.005");
  await expect(drawer.getByRole("status").filter({ hasText: "Total" })).toContainText(money(4.02));
  await drawer.getByLabel("Notas").fill("adelanto");
  const part = `${money(4.02)} a ${worker.name}`;
  await drawer.getByRole("button", { name: `Pagar ${part}`, exact: true }).click();
  const question = page.getByRole("dialog", { name: `¿Pagar ${part}?` });
  await question.getByRole("button", { name: "No, volver" }).click();
  await expect(question).toBeHidden();
  await expect(drawer.getByLabel("Notas")).toHaveValue("adelanto");
  await drawer.getByRole("button", { name: `Pagar ${part}`, exact: true }).click();
  await question.getByRole("button", { name: `Sí, pagar ${part}` }).click();
  await expectSaved(page);
  await expect(row).toContainText("6 / 10");
  await expect(bar).toBeHidden();
  await expect(figure("Cobrado")).toHaveText(money(4.02));
  await expect(figure("Por cobrar")).toHaveText(money(6 * process.price));

  await page.goto(`/#/reports/paid-orders?search=${order.customerSalesOrderId}`);
  await expect(page.getByRole("status").filter({ hasText: "Total pagado" })).toContainText(
    `${money(4.02)}en 1 pago`,
  );
  await page.getByRole("row", { name: /adelanto/ }).click();
  const payment = page.getByRole("dialog", { name: /^Pago #/ });
  await expect(payment.getByRole("row", { name: order.customerSalesOrderId })).toContainText(
    money(4.02),
  );
  await expectAccessible(page, "payment");
  await payment.getByRole("button", { name: "Cancelar pago" }).click();
  const cancel = page.getByRole("dialog", { name: /^Cancelar el pago/ });
  await cancel.getByRole("button", { name: "Cancelar pago" }).click();
  await expect(cancel.getByText("Este dato es obligatorio")).toBeVisible();
  await cancel.getByLabel("Motivo").fill("precio equivocado");
  await cancel.getByRole("button", { name: "Cancelar pago" }).click();
  await expectSaved(page, "Pago #");
  await expect(payment.getByText("precio equivocado")).toBeVisible();
  await expect(payment.getByRole("button", { name: "Cancelar pago" })).toBeHidden();
  await expect(figure("Cobrado")).toHaveText(money(0));
  await expect(figure("Por cobrar")).toHaveText(money(10 * process.price));

  await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
  await expect(row).toContainText(money(10 * process.price));
  await expect(row).not.toContainText("/ 10");
});

test("the form says how many pieces are left after another clerk paid, and paid records are exported", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { order } = await workDone(admin, apiOf);
  const [record] = await admin.call<Payable[]>(
    "GET",
    `${PATH}?search=${order.customerSalesOrderId}`,
  );
  const page = await pageOf("admin", { language: "en" });
  await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
  await expect(
    page.getByRole("row", { name: new RegExp(order.customerSalesOrderId) }),
  ).toBeVisible();
  await expectAccessible(page, "pay orders");
  await page
    .getByRole("row", { name: new RegExp(order.customerSalesOrderId) })
    .getByRole("checkbox")
    .check();
  await page.getByRole("button", { name: /^Pay .* to .*…$/ }).click();
  const drawer = page.getByRole("dialog", { name: "Pay piecework" });
  await drawer.getByLabel("Pieces").fill("8");
  await page.routeWebSocket("**/ws/events**", (socket) => socket.close());
  await page.route(
    "**/production-processes/payments",
    async (route) => {
      const items = [{ processRecordId: record!.id, quantity: 7, price: 1 }];
      await admin.call("POST", `${PATH}/payments`, { items });
      await route.continue();
    },
    { times: 1 },
  );
  await drawer.getByRole("button", { name: /^Pay .* to / }).click();
  await page.getByRole("button", { name: /^Yes, pay / }).click();
  await expect(drawer.getByText(/Only 3 are left to pay/).first()).toBeVisible();
  await drawer.getByLabel("Pieces").fill("3");
  await drawer.getByRole("button", { name: /^Pay .* to / }).click();
  await page.getByRole("button", { name: /^Yes, pay / }).click();
  await expect(page.getByText("Saved successfully")).toBeVisible();
  await expect(page.getByText("Nothing matches the search")).toBeVisible();

  await page.goto(`/#/reports/paid-orders?search=${order.customerSalesOrderId}`);
  await expect(page.getByRole("row", { name: /^#\d/ })).toHaveCount(2);
  await expectAccessible(page, "paid orders");
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("paid-orders.csv");
  const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("Total");
});

test("ticks and input survive the end of the session, and ticks are dropped when the page is left", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { order } = await workDone(admin, apiOf);
  const clerk = await newPerson(admin, [
    "ReportPayOrders",
    "CreatePay",
    "ReportPaidOrders",
    "CancelPay",
  ]);
  const page = await pageOf(clerk);
  /** Answer 401 to the next payment or cancellation. */
  const endSession = async () => {
    await page.route("**/api/live/ticket", (route) => route.abort());
    await page.route("**/production-processes/payments**", (route) =>
      route.request().method() === "GET"
        ? route.continue()
        : route.fulfill({
            status: 401,
            json: { code: "unauthenticated", message: "Inicie sesión", params: {}, errors: [] },
          }),
    );
  };
  const signInAgain = async () => {
    await expect(page).toHaveURL(/#\/login$/);
    await page.unrouteAll({ behavior: "wait" });
    await signIn(page, clerk);
  };
  const row = page.getByRole("row", { name: new RegExp(order.customerSalesOrderId) });
  const drawer = page.getByRole("dialog", { name: "Pagar destajo" });
  const typed = page.getByText("Recuperamos lo que estaba escribiendo.");
  const chosen = page.getByText("Recuperamos lo que tenía elegido.");

  await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
  await row.getByRole("checkbox").check();
  await page.reload();
  await expect(row.getByRole("checkbox")).toBeChecked();
  await expect(chosen).toBeVisible();
  await page.getByRole("button", { name: /^Pagar .*…$/ }).click();
  await drawer.getByLabel("Piezas").fill("4");
  await drawer.getByLabel("Notas").fill("adelanto");
  await endSession();
  await drawer.getByRole("button", { name: /^Pagar / }).click();
  await page.getByRole("button", { name: /^Sí, pagar / }).click();
  await signInAgain();
  await expect(drawer.getByLabel("Piezas")).toHaveValue("4");
  await expect(drawer.getByLabel("Notas")).toHaveValue("adelanto");
  await expect(typed).toBeVisible();
  await expect(chosen).toBeVisible();
  await drawer.getByRole("button", { name: /^Pagar / }).click();
  await page.getByRole("button", { name: /^Sí, pagar / }).click();
  await expectSaved(page);
  await expect(row).toContainText("6 / 10");
  await expect(row.getByRole("checkbox")).not.toBeChecked();
  await expect(chosen).toBeHidden();

  // Leaving the page drops the ticks.
  await row.getByRole("checkbox").check();
  await page.goto("/#/home");
  await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
  await expect(row).toContainText("6 / 10");
  await expect(row.getByRole("checkbox")).not.toBeChecked();
});

/** The people who are owed for piecework: paying a person's week in few clicks, and with another clerk at the same time. */
import type { Payable } from "@/contract";
import { countClicks, expect, expectSaved, test } from "./fixtures";
import { expectAccessible } from "./looks";
import { newPerson } from "./people";
import { money, PATH, through, workDone } from "./piecework";

test("a person's week is paid in three clicks, and then offers its pay slip", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { worker, process } = await workDone(admin, apiOf);
  const due = money(10 * process.price);
  const page = await pageOf("admin");
  const clicks = await countClicks(page);
  await page.goto("/#/reports/pay-orders");
  const person = page.getByRole("button", { name: new RegExp(`^${worker.name}`) });
  await expect(page.getByRole("radio", { name: "Esta semana" })).toBeChecked();
  await expect(person).toContainText("10 piezas · 1 registro");
  await expect(person).toContainText(due);
  await expectAccessible(page, "people to pay");
  await person.click();
  await page.getByRole("button", { name: `Pagar ${due} a ${worker.name}`, exact: true }).click();
  await page.getByRole("button", { name: `Sí, pagar ${due} a ${worker.name}` }).click();
  await expectSaved(page);
  await expect(person).toBeHidden();
  expect(await clicks(), "person, pay, yes").toBe(3);

  const slip = page.waitForResponse("**/pdf/create-receipt");
  await page.getByRole("button", { name: "Ver recibo" }).click();
  expect((await slip).headers()["content-type"]).toBe("application/pdf");
  await page.getByRole("link", { name: /^Pago #\d+$/ }).click();
  const payment = page.getByRole("dialog", { name: /^Pago #/ });
  await expect(payment.getByText(worker.name).first()).toBeVisible();
  await expect(payment.getByRole("button", { name: "Ver recibo" })).toBeVisible();
});

test("the second of two clerks who pay the same person reads what is already paid, and keeps their input", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { worker, order, api, process } = await workDone(admin, apiOf);
  const other = await admin.order(4);
  await through(api, await admin.approve(other.id), process.productionProcessId);
  const recordOf = async (po: string) =>
    (await admin.call<Payable[]>("GET", `${PATH}?search=${po}`))[0]!;
  const [first, second] = [
    await recordOf(order.customerSalesOrderId),
    await recordOf(other.customerSalesOrderId),
  ];
  const payFirst = () =>
    admin.call("POST", `${PATH}/payments`, {
      items: [{ processRecordId: first.id, quantity: 10, price: 1 }],
    });
  const clerk = await newPerson(admin, ["ReportPayOrders", "CreatePay", "ReportPaidOrders"]);
  const page = await pageOf(clerk);
  await page.goto("/#/reports/pay-orders");
  await expect(page.getByText("En vivo")).toBeVisible();
  await page.getByRole("button", { name: new RegExp(worker.name) }).click();
  const drawer = page.getByRole("dialog", { name: "Pagar destajo" });
  await drawer.getByLabel("Notas").fill("semana 47");
  await drawer.getByLabel("Precio").last().fill("2");
  await expect(drawer.getByRole("status").filter({ hasText: "Total" })).toContainText("14 piezas");
  await payFirst();
  const alert = drawer.getByRole("alert").filter({ hasText: "ya pagó 1 de estos registros" });
  await expect(alert).toContainText("Queda 1 registro por pagar");
  await expect(drawer.getByText(/ya pagado/)).toBeVisible();
  await expect(drawer.getByLabel("Notas")).toHaveValue("semana 47");
  const rest = `${money(8)} a ${worker.name}`;
  await expect(drawer.getByRole("button", { name: `Pagar ${rest}`, exact: true })).toBeVisible();

  // Another clerk pays the rest while the request is on its way, and no event arrives.
  await page.routeWebSocket("**/ws/events**", (socket) => socket.close());
  await page.route(
    "**/production-processes/payments",
    async (route) => {
      const items = [{ processRecordId: second.id, quantity: 4, price: 1 }];
      await admin.call("POST", `${PATH}/payments`, { items });
      await route.continue();
    },
    { times: 1 },
  );
  await drawer.getByRole("button", { name: `Pagar ${rest}`, exact: true }).click();
  await page.getByRole("button", { name: `Sí, pagar ${rest}` }).click();
  await expect(drawer.getByText("No queda nada por pagar de ellos.")).toBeVisible();
  await expect(drawer.getByLabel("Notas")).toHaveValue("semana 47");
  await expect(drawer.getByRole("button", { name: /^Pagar / })).toHaveCount(0);
  await expectAccessible(page, "everything was paid meanwhile");
});

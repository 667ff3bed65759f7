/** The people who are owed for piecework: paying a person's week in few clicks, and with another clerk at the same time. */
import type { Owed, Payable } from "@/contract";
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
  const row = page.getByRole("row", { name: new RegExp(`^${worker.name}`) });
  await expect(row.getByRole("cell")).toHaveText(["1", "10", due]);
  await expect(
    page.locator("tbody").filter({ has: row }).getByRole("row").last().getByRole("rowheader"),
  ).toHaveText(process.productionProcessName);
  await expectAccessible(page, "people to pay");
  await person.click();
  await page.getByRole("button", { name: `Pagar ${due} a ${worker.name}`, exact: true }).click();
  await page.getByRole("button", { name: `Sí, pagar ${due} a ${worker.name}` }).click();
  await expectSaved(page);
  await expect(person).toBeHidden();
  expect(await clicks(), "person, pay, yes").toBe(3);

  await expect(page.getByText(`Se pagaron ${due} a ${worker.name}`)).toBeVisible();
  const slip = page.waitForResponse("**/pdf/create-receipts");
  await page.getByRole("button", { name: "Ver recibo" }).click();
  expect((await slip).headers()["content-type"]).toBe("application/pdf");
  await page.getByRole("link", { name: /^Pago #\d+$/ }).click();
  const payment = page.getByRole("dialog", { name: /^Pago #/ });
  await expect(payment.getByText(worker.name).first()).toBeVisible();
  await expect(payment.getByRole("button", { name: "Ver recibo" })).toBeVisible();
});

test("everybody is paid by one question, which says what changed meanwhile, and their slips are one file", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const [first, second] = [await workDone(admin, apiOf), await workDone(admin, apiOf)];
  const ours = [first, second].map(({ worker }) => worker.name);
  const page = await pageOf("admin");
  // Other journeys pay their own workers.
  await page.route("**/production-processes/people*", async (route) => {
    const response = await route.fetch();
    const people = (await response.json()) as Owed[];
    await route.fulfill({
      response,
      json: people.filter(({ fullName }) => ours.includes(fullName)),
    });
  });
  const clicks = await countClicks(page);
  await page.goto("/#/reports/pay-orders");
  await page.getByRole("button", { name: "Pagar a todos" }).click();
  const question = page.getByRole("dialog", { name: /^¿Pagar .* a 2 personas\?$/ });
  await expect(question.getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page, "pay everybody");
  const [record] = await admin.call<Payable[]>(
    "GET",
    `${PATH}?search=${first.order.customerSalesOrderId}`,
  );
  await admin.call("POST", `${PATH}/payments`, {
    items: [{ processRecordId: record!.id, quantity: 4, price: 1 }],
  });
  const yes = question.getByRole("button", { name: /^Sí, pagar .* a 2 personas$/ });
  await yes.click();
  await expect(question.getByRole("alert")).toContainText(first.worker.name);
  await expect(question.getByRole("listitem").filter({ hasText: first.worker.name })).toContainText(
    "6 piezas",
  );
  await yes.click();
  await expect(question).toBeHidden();
  await expect(page.getByText("No hay nada por pagar")).toBeVisible();
  const slips = page.waitForResponse("**/pdf/create-receipts");
  await page.getByRole("button", { name: "Ver los 2 recibos" }).click();
  expect((await slips).headers()["content-type"]).toBe("application/pdf");
  expect(await clicks(), "everybody, yes, yes again, slips").toBe(4);
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
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
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

/** A bench's day of metal: weighed in and out, counted, closed by PIN with a difference, and shown where it went. */
import { choose, expect, test, unique, type Api } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";
import { newPerson, type Made } from "./people";

const MOVES = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut", "ListOrders"];

interface Bench {
  worker: Made;
  pin: string;
  process: { id: number; name: string };
  alloyId: number;
}

/** A worker takes 150 g of sterling into a process that allows 12 ‰ and recovers its filings, and 145 g out. */
async function aDayAtTheBench(admin: Api, apiOf: (who: Made) => Promise<Api>): Promise<Bench> {
  const mark = unique();
  const process = await admin.call<Bench["process"]>("POST", "/api/production-processes", {
    name: `Limado ${mark}`,
    order: 901,
    weighs: "required",
    allowedLoss: 12,
    recovers: true,
  });
  const [alloy] = await admin.call<{ id: number }[]>(
    "GET",
    `/api/alloys?search=${encodeURIComponent("Plata ley 925")}&limit=1`,
  );
  const alloyId = alloy!.id;
  const { id: itemId } = await admin.call<{ id: number }>("POST", "/api/items", {
    key: `K${mark}`,
    name: `Anillo ${mark}`,
    alloyId,
  });
  await admin.call("POST", "/api/metal/lots", {
    alloyId,
    grams: 150,
    supplier: `Metales ${mark}`,
  });
  const worker = await newPerson(admin, MOVES, { productionProcessIds: [process.id] });
  const pin = `7${mark.slice(-5)}`;
  await admin.call("PUT", `/identity/users/${worker.id}/pin`, { pin });
  const { id } = await admin.call<{ id: number }>("POST", "/api/sales-order", {
    customerId: await admin.firstId("customers"),
    customerSalesOrderId: `E2E-${mark}`,
    items: [{ itemId, quantity: 10 }],
  });
  await admin.approve(id);
  const hand = await apiOf(worker);
  for (const [type, grams] of [
    ["in", 150],
    ["out", 145],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- in, then out
    await hand.call("PUT", `/api/sales-order/${id}/position/1/production-process/${type}`, {
      productionProcessId: process.id,
      grams,
    });
  }
  return { worker, pin, process, alloyId };
}

for (const size of ["tablet", "office"] as const) {
  test(`a bench's day is closed by PIN with a difference, which stays to be recovered: ${size}`, async ({
    apiOf,
    pageOf,
  }) => {
    const admin = await apiOf("admin");
    const { worker, pin, process, alloyId } = await aDayAtTheBench(admin, apiOf);
    const boss = await newPerson(admin, ["ViewMetal", "CloseMetalDay"]);
    const page = await pageOf(boss, { size });
    await page.goto("/#/operations/metal/day");
    await choose(page, page.getByRole("combobox", { name: "Proceso" }), process.name);
    await choose(page, page.getByRole("combobox", { name: "Persona" }), worker.name);

    const count = page.getByRole("form", { name: `Lo que tiene ${worker.name}` });
    await expect(count.getByRole("definition")).toHaveText("5 g");
    await count.getByLabel("Contado").fill("3");
    await count.getByLabel("Limadura barrida").fill("0.5");
    const difference = count.getByRole("status").filter({ hasText: "Faltan 1.5 g" });
    await expect(difference).toContainText("Merma 1.33 % · permitida 1.2 %");
    await expectAccessible(page, `counting a day: ${size}`);
    await expectWithin(page, `counting a day: ${size}`);

    const close = count.getByRole("button", { name: `Cerrar el día de ${worker.name}` });
    await expect(close).toBeDisabled();
    const pinField = count.getByLabel(`PIN de ${worker.name}`);
    await pinField.fill("112233");
    await close.click();
    await expect(count.getByRole("alert")).toBeVisible();
    await expect(count.getByLabel("Contado")).toHaveValue("3");
    await pinField.fill(pin);
    await close.click();

    const closing = page.getByRole("region", { name: /^Cierre \d+$/ });
    await expect(closing).toContainText("Faltan");
    await expect(closing).toContainText("1.5 g");
    await expect(count).toBeHidden();
    const slip = page.waitForResponse("**/pdf/create-metal-slip");
    await closing.getByRole("button", { name: "Ver comprobante" }).click();
    expect((await slip).headers()["content-type"]).toBe("application/pdf");

    // What was swept and what is missing are the filings of the process; the bench keeps what was counted.
    await page.goto(`/#/operations/metal?productionProcessId=${process.id}`);
    const account = (name: string) =>
      page.getByRole(size === "tablet" ? "listitem" : "row").filter({ hasText: name });
    await expect(account(`${worker.name} · ${process.name}`)).toContainText("3 g");
    await expect(account(`Limadura · ${process.name}`)).toContainText("2 g");
    await expectAccessible(page, `balances: ${size}`);
    await expectWithin(page, `balances: ${size}`);

    // Metal that is given while the page is open shows by itself.
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
    await admin.call("POST", "/api/metal/lots", { alloyId, grams: 8, supplier: "Metales" });
    await admin.call("POST", "/api/metal/entries", {
      fromKind: "vault",
      toKind: "person",
      toUserId: worker.id,
      toProductionProcessId: process.id,
      alloyId,
      grams: 8,
    });
    await expect(account(`${worker.name} · ${process.name}`)).toContainText("11 g");
    await admin.call("PUT", `/api/production-processes/${process.id}`, { status: false });
  });
}

/** A casting tree of five lines is put together, cast by one press and divided by another, with one weighing each. */
import type { Batch, ProcessRecord } from "@/contract";
import { choose, expect, test, unique } from "./fixtures";
import { expectWithin } from "./looks";
import { newPerson } from "./people";
import { approved, button, scan } from "./station";

const PERMISSIONS = [
  "ManageBatches",
  "SalesOrderPositionProcessIn",
  "SalesOrderPositionProcessOut",
  "SalesOrderPositionRecord",
  "ListOrders",
  "ListSalesOrders",
  "ShopFloor",
];
const PIECES = [2, 3, 4, 5, 6];

for (const size of ["tablet", "office"] as const) {
  test(`a tree of five lines is cast and divided (${size})`, async ({ apiOf, pageOf }) => {
    test.slow(); // From an empty batch to a closed one.
    const admin = await apiOf("admin");
    const name = `Vaciado ${unique()}`;
    const process = await admin.call<{ id: number }>("POST", "/api/production-processes", {
      name,
      order: 90,
      weighs: "required",
      allowedLoss: 60,
      recovers: true,
    });
    const [alloy] = await admin.call<{ id: number; name: string }[]>(
      "GET",
      "/api/alloys?search=925",
    );
    const key = unique();
    const item = await admin.call<{ id: number }>("POST", "/api/items", {
      key,
      name: `Anillo ${key}`,
      alloyId: alloy!.id,
      netGrams: 4,
    });
    const lines = [];
    // oxlint-disable-next-line no-await-in-loop -- orders are numbered one after the other
    for (const pieces of PIECES) lines.push(await approved(admin, pieces, item.id));
    const caster = await newPerson(admin, PERMISSIONS, { productionProcessIds: [process.id] });

    const page = await pageOf(caster, { size });
    await page.goto("/#/operations/batches");
    await button(page, "Nueva tanda").first().click();
    const form = page.getByRole("dialog");
    await choose(page, form.getByLabel("Aleación"), alloy!.name);
    await form.getByLabel("Nombre").fill("Árbol 3, anillos");
    await form.getByLabel("Cera").fill("7.619");
    await form.getByLabel("Botón").fill("5");
    await form.getByRole("button", { name: "Guardar" }).click();
    const heading = page.getByRole("heading", { level: 1, name: /^Tanda \d+ · Árbol 3, anillos$/ });
    await expect(heading).toBeVisible();
    const title = (await heading.textContent())!;
    await expectWithin(page, "an empty batch");

    // Four sheets are scanned without a pause, and the last line is chosen.
    const onBatch = page.getByRole("region", { name: /líneas? · \d+ piezas?$/ });
    await page.getByRole("searchbox", { name: "Orden, cliente o producto" }).focus();
    // oxlint-disable-next-line no-await-in-loop -- a scanner reads one sheet after the other
    for (const { code } of lines.slice(0, 4)) await scan(page, code);
    await expect(onBatch.getByRole("link")).toHaveCount(4);
    const { customerSalesOrderId: po } = lines[4]!.line;
    await page.getByRole("searchbox", { name: "Orden, cliente o producto" }).fill(po);
    await button(page, `Poner ${PIECES[4]!}: ${po} · línea 1`).click();
    await expect(onBatch.getByRole("link")).toHaveCount(5);
    await expect(onBatch.getByText(/^5 líneas · 20 piezas$/)).toBeVisible();
    await expectWithin(page, "a batch of five lines");

    const press = page.getByRole("dialog", { name: title });
    const cast = async () => {
      await button(page, `Meter 20 a ${name}`).click();
      await expect(press.getByText("85 g")).toBeVisible();
      await press.locator("[data-weight]").first().fill("85");
      await press.getByRole("button", { name: `Meter 20 a ${name}` }).click();
      await expect(press).toHaveCount(0);
      await expect(page.getByText("Adentro", { exact: true })).toBeVisible();
    };
    await cast();
    await button(page, "Deshacer (5 líneas)").click();
    await expect(page.getByText("Por meter", { exact: true })).toBeVisible();
    await cast();

    await page.goto(`/#/shop-floor?process=${process.id}`);
    const card = page.getByRole("listitem").filter({ hasText: "Árbol 3, anillos" });
    await expect(card).toHaveCount(1);
    await card.getByRole("link", { name: /^Tanda \d+$/ }).click();

    await button(page, `Sacar 20 de ${name}`).click();
    await press.locator("[data-weight]").first().fill("80");
    await press.getByRole("button", { name: `Sacar 20 de ${name}` }).click();
    await expect(press).toHaveCount(0);
    await expect(page.getByText(/^Merma 5 g/)).toBeVisible();
    await button(page, "Cerrar tanda").click();
    await expect(page.getByText("Cerrada", { exact: true }).first()).toBeVisible();
    await expectWithin(page, "a closed batch");

    const id = Number(/\/batches\/(\d+)/.exec(page.url())![1]);
    const batch = await admin.call<Batch>("GET", `/api/batches/${id}`);
    expect(batch).toMatchObject({ issuedGrams: 85, goodGrams: 80, lossGrams: 5, state: "closed" });
    const histories = await Promise.all(
      lines.map(({ line }) =>
        admin.call<ProcessRecord[]>(
          "GET",
          `/api/sales-order/${line.salesOrderId}/position/1/history`,
        ),
      ),
    );
    const milligrams = histories.map(([record]) => Math.round(record!.gramsOut! * 1_000));
    expect(milligrams).toEqual(PIECES.map((pieces) => pieces * 4_000));
    // Other journeys show the processes of the demo.
    await admin.call("PUT", `/api/production-processes/${process.id}`, { status: false });
  });
}

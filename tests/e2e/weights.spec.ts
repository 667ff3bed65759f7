/** Weights at a station: a loss above the allowance. */
import { expect, test, unique, type Api, type Somebody } from "./fixtures";
import { expectGood } from "./looks";
import { newPerson } from "./people";
import { approved, button, type Process } from "./station";

interface Bench {
  plain: Process;
  weighed: Process;
  worker: Somebody;
  /** A product of sterling. */
  itemId: number;
}

/** Create a process that weighs and one that does not, who works there, and sterling in the vault. */
async function bench(admin: Api): Promise<Bench> {
  const alloys = await admin.call<{ id: number; name: string }[]>("GET", "/api/alloys?status=true");
  const alloyId = alloys.find(({ name }) => name.includes("925"))?.id;
  await admin.call("POST", "/api/metal/lots", { alloyId, grams: 1_000, supplier: "E2E" });
  const key = unique();
  const process = (name: string, fields: object) =>
    admin.call<Process>("POST", "/api/production-processes", { name, order: 900, ...fields });
  const plain = await process(`Revisado ${key}`, {});
  const weighed = await process(`Pulido ${key}`, { weighs: "required", allowedLoss: 20 });
  const moves = ["In", "Out"].map((side) => `SalesOrderPositionProcess${side}`);
  const worker = await newPerson(admin, ["Station", "SalesOrderPositionRecord", ...moves], {
    productionProcessIds: [plain.id, weighed.id],
  });
  const product = { key, name: `Anillo ${key}`, sellPrice: 5, currency: "USD", alloyId };
  const { id: itemId } = await admin.call<{ id: number }>("POST", "/api/items", product);
  return { plain, weighed, worker, itemId };
}

test("a loss above the allowance waits for the boss's signature, and the floor goes on", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { plain, weighed, worker, itemId } = await bench(admin);
  const hand = await apiOf(worker);
  const { line } = await approved(admin, 6, itemId);
  const place = `/api/sales-order/${line.salesOrderId}/position/${line.position}`;
  const move = (side: "in" | "out", fields: object) =>
    hand.call("PUT", `${place}/production-process/${side}`, {
      productionProcessId: weighed.id,
      ...fields,
    });
  await move("in", { grams: 12 });
  await move("out", { grams: 11, weightReason: "Se cayó limadura" });
  await hand.move("in", line, plain.id);

  const [boss, clerk] = [await pageOf("admin"), await pageOf("admin", { own: true })];
  await clerk.goto(`/#/operations/sales-order/${line.salesOrderId}/position/${line.position}`);
  await button(clerk, "Historial").click();
  const seen = clerk.getByRole("dialog");
  await expect(seen.getByText("Se cayó limadura")).toBeVisible();

  await boss.goto("/#/operations/metal");
  await boss.getByRole("button", { name: "Más", exact: true }).click();
  await boss.getByRole("menuitem", { name: "Mermas por firmar" }).click();
  await boss.getByRole("row").filter({ hasText: line.customerSalesOrderId }).click();
  await button(boss, "Historial").click();
  await button(boss, `Firmar la merma: ${weighed.name}`).click();
  const asked = boss.getByRole("dialog", { name: "Firmar la merma" });
  await expect(asked.getByText("Motivo: Se cayó limadura")).toBeVisible();
  await expectGood(boss, "a loss to sign", { size: "office", language: "es", theme: "light" });
  await button(boss, /^Firmar la merma$/).click();
  await expect(asked).toBeHidden();
  await expect(seen.getByText(/^firmó /)).toBeVisible();
});

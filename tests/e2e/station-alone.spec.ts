/** A worker needs only the permissions to use a station and to move pieces. */
import { expect, test } from "./fixtures";
import { newPerson } from "./people";
import { approved, button, insideOf, openStation, scan, twoProcesses } from "./station";

const MOVES = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"];

test("with Station and the movements alone, a worker sees who made the last movements, and undoes their own", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const person = await newPerson(admin, ["Station", ...MOVES], {
    productionProcessIds: [process.id],
  });
  const [mine, other] = [await approved(admin, 6), await approved(admin, 7)];
  const page = await pageOf(person, { own: true });
  await page.clock.install();
  await openStation(page, process);
  await scan(page, mine.code);
  await button(page, `Meter 6 a ${process.name}`).click();
  const recent = page.getByRole("region", { name: "Últimos movimientos" });
  const row = recent
    .getByRole("listitem")
    .filter({ hasText: mine.line.customerSalesOrderId })
    .first();
  await expect(row).toContainText(person.name);
  const inside = page.getByRole("region", { name: "Adentro" });
  await expect(
    inside.getByRole("button", { name: new RegExp(mine.line.customerSalesOrderId) }),
  ).toContainText(person.name);

  // Movements of others appear without a reload.
  await worker.move("in", other.line, process.id);
  await expect(
    inside.getByRole("button", { name: new RegExp(other.line.customerSalesOrderId) }),
  ).toBeVisible();

  // Let the five seconds pass in which the last press can be undone.
  await page.clock.fastForward(5_000);
  await expect(button(page, /^Deshacer \(/)).toHaveCount(0);
  await row.getByRole("button", { name: /^Deshacer:/ }).click();
  await expect.poll(() => insideOf(admin, mine.line)).toBe(0);
});

test("an inactive station stays signed in, and other pages show the inactivity alert", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const [process] = await twoProcesses(await apiOf("worker"));
  const person = await newPerson(admin, ["Station", ...MOVES], {
    productionProcessIds: [process.id],
  });
  const page = await pageOf(person, { own: true });
  await page.clock.install();
  await openStation(page, process);
  await page.clock.fastForward("20:00");
  await page.clock.runFor(2_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goto("/#/home");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.clock.fastForward("10:01");
  await expect(page.getByRole("dialog", { name: "¡Alerta de Inactividad!" })).toBeVisible();
});

test("a station names the permissions that its account lacks, and follows when they are given", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const [process, elsewhere] = await twoProcesses(await apiOf("worker"));
  const person = await newPerson(admin, ["Station"], { productionProcessIds: [process.id] });
  const page = await pageOf(person);
  await openStation(page, process);
  const give = (...rights: string[]) =>
    admin.call("PUT", `/identity/roles/${person.roleId}`, { permissions: ["Station", ...rights] });
  await expect(
    page.getByText(
      /faltan los permisos «Meter piezas a un proceso» y «Sacar piezas de un proceso»/,
    ),
  ).toBeVisible();
  await give(MOVES[0]!);
  await expect(page.getByText(/le falta el permiso «Sacar piezas de un proceso»/)).toBeVisible();
  await give(...MOVES);
  await expect(page.getByText(/le falta/)).toHaveCount(0);

  const stranger = await newPerson(admin, ["Station", ...MOVES], {
    productionProcessIds: [elsewhere.id],
  });
  const other = await pageOf(stranger);
  await openStation(other, process);
  await expect(other.getByText(/no está asignada a/)).toBeVisible();
});

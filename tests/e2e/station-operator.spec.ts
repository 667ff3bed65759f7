/** The operator of a station: identified by PIN or badge at a station of their process, and recorded on movements. */
import type { Page } from "@playwright/test";
import { expect, test, unique, type Api } from "./fixtures";
import { badgeOf, newPerson, type Made } from "./people";
import {
  approved,
  button,
  lineNow,
  openStation,
  scan,
  twoProcesses,
  type Process,
} from "./station";

/** Create a person who may move pieces through one process. */
function newWorker(admin: Api, process: Process): Promise<Made> {
  const rights = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut", "ListOrders"];
  return newPerson(admin, rights, { productionProcessIds: [process.id] });
}

/** Expect the station to name the person, and a movement there to be recorded as theirs. */
async function expectToMoveAs(person: Made, page: Page, process: Process, admin: Api) {
  await expect(button(page, `Trabaja ${person.name}. Cambiar`)).toBeVisible();
  const { line, code } = await approved(admin, 6);
  await scan(page, code);
  await button(page, `Meter 6 a ${process.name}`).click();
  await expect
    .poll(async () => (await lineNow(admin, line)).inside.map(({ by }) => by))
    .toEqual([person.name]);
}

test("a PIN identifies its owner, and the movement is recorded as theirs", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const [process] = await twoProcesses(await apiOf("worker"));
  const person = await newWorker(admin, process);
  const pin = `8${unique().slice(-5)}`;
  await admin.call("PUT", `/identity/users/${person.id}/pin`, { pin });
  const page = await pageOf("worker");
  await page.goto("/#/home");
  await expect(page.getByRole("heading", { name: "Mi destajo" })).toBeVisible();
  await openStation(page, process);
  await button(page, /^Trabaja /).click();
  for (const digit of pin) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.getByRole("dialog").getByRole("button", { name: digit, exact: true }).click();
  }
  await expectToMoveAs(person, page, process, admin);
  // Now several people work at this screen: it does not show them what its account earns.
  await page.goto("/#/home");
  await expect(page.getByRole("heading", { name: "Mis procesos" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Mi destajo" })).toHaveCount(0);
});

test("a badge identifies its owner only at a station of their process, and movements there are recorded as theirs", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process, next] = await twoProcesses(worker);
  const person = await newWorker(admin, process);
  const badge = await badgeOf(admin, person);
  const page = await pageOf("worker");
  await openStation(page, process);
  const stranger = await newWorker(admin, next);
  await scan(page, await badgeOf(admin, stranger));
  await expect(page.getByRole("alert")).toHaveText(
    `${process.name} no está entre sus procesos: pida al encargado que lo agregue.`,
  );
  await expect(button(page, `Trabaja ${stranger.name}. Cambiar`)).toHaveCount(0);
  await scan(page, badge);
  await expect(button(page, `Trabaja ${person.name}. Cambiar`)).toBeVisible();
  await openStation(page, next);
  await expect(button(page, /^Trabaja /)).toBeVisible();
  await expect(button(page, `Trabaja ${person.name}. Cambiar`)).toHaveCount(0);
  await openStation(page, process);
  await expectToMoveAs(person, page, process, admin);
});

test("a line says why the station may not move it, and moves once a person who may is identified", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const tablet = await newPerson(admin, ["Station"], { productionProcessIds: [process.id] });
  const rights = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"];
  const person = await newPerson(admin, rights, { productionProcessIds: [process.id] });
  const badge = await badgeOf(admin, person);
  const { line, code } = await approved(admin, 6);
  const page = await pageOf(tablet);
  await openStation(page, process);
  await scan(page, code);
  const opened = page.getByRole("dialog", { name: line.customerSalesOrderId });
  await expect(opened.getByRole("alert")).toContainText("No tiene permisos");
  await expect(button(page, `Meter 6 a ${process.name}`)).toHaveCount(0);
  await scan(page, badge);
  await expect(opened.getByText(`Trabaja ${person.name}`)).toBeVisible();
  await button(page, `Meter 6 a ${process.name}`).click();
  await expect
    .poll(async () => (await lineNow(admin, line)).inside.map(({ by }) => by))
    .toEqual([person.name]);
});

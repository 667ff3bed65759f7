/** From an empty installation to the first invoice, as the owner does it on the first day. */
import type { Page } from "@playwright/test";
import { cell, choose, chooseProduct, expect, expectSaved, signIn, SIZES, test } from "./fixtures";
import { emptyInstallation, type Installation } from "./emptyInstallation";

/** The most clicks, and the most different pages that are opened. */
const CLICKS_MOST = 56;
const PAGES_MOST = 15;

let installation: Installation;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  installation = await emptyInstallation();
});
test.afterAll(() => installation.end());

/** Count what the owner does on the page: clicks, and pages that are opened. */
async function counted(page: Page) {
  const count = { clicks: 0, pages: new Set<string>() };
  await page.exposeFunction("clicked", () => (count.clicks += 1));
  await page.addInitScript(() => {
    const { clicked } = window as unknown as { clicked: () => void };
    addEventListener("pointerdown", clicked, true);
  });
  page.on("framenavigated", (frame) => {
    const path = new URL(frame.url()).hash.split("?")[0]!;
    if (path.length > 2) count.pages.add(path);
  });
  return count;
}

test("the owner of an empty installation bills the first order without a dead end", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  // A context of its own: what it stores belongs to another server.
  const context = await browser.newContext({ viewport: SIZES.office, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const count = await counted(page);
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const start = page.getByRole("region", { name: "Prepare su taller" });
  const step = async (name: string) => {
    await page.getByRole("link", { name: /ir al inicio$/ }).click();
    await start.getByRole("link", { name }).click();
  };
  const save = async (dialog: string) => {
    const drawer = page.getByRole("dialog", { name: dialog });
    await drawer.getByRole("button", { name: "Guardar", exact: true }).click();
    await expectSaved(page);
    await expect(drawer).toBeHidden();
  };
  const field = (name: string) => page.getByRole("dialog").getByLabel(name, { exact: true });

  await page.goto(`${installation.url}/`);
  await signIn(page, installation.owner);
  await expect(start.getByText("0 de 10 listos")).toBeVisible();
  await start.getByRole("button", { name: "Empezar vacío" }).click();

  await start.getByRole("link", { name: "Su empresa" }).click();
  await field("Nombre").fill("Platería Rosa");
  await field("Calle").fill("Plaza Borda 3");
  await save("Nueva empresa");

  await step("Procesos de producción");
  await field("Nombre").fill("Fundición");
  await field("Precio por pieza").fill("12.50");
  await save("Nuevo proceso");

  await step("Roles");
  await button("Nuevo rol").click();
  await page.getByRole("dialog").getByRole("button", { name: "Taller", exact: true }).click();
  await save("Nuevo rol");

  await step("Personas y su PIN");
  await field("Nombre").fill("Juan");
  await page.getByRole("dialog").getByRole("button", { name: "Proponer uno" }).click();
  await choose(page, page.getByRole("dialog").getByRole("combobox", { name: "Roles" }), "Taller");
  await page.keyboard.press("Escape");
  await save("Nuevo usuario");

  await step("Clientes");
  await field("Nombre").fill("Casa Norte");
  await page.getByRole("dialog").getByRole("button", { name: "Agregar domicilio" }).click();
  await field("Calle").fill("Av. Juárez 12");
  await save("Nuevo cliente");

  await step("Productos");
  await field("Clave").fill("AN-1");
  await field("Nombre").fill("Anillo liso");
  await field("Precio de venta").fill("850");
  await save("Nuevo producto");

  await step("La primera orden");
  await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }), "Casa Norte");
  await page.getByRole("textbox", { name: "PO#" }).fill("PO-1");
  await chooseProduct(page, "AN-1");
  await cell(page, "Cantidad").fill("8");
  await button("Guardar orden").click();
  await page.getByRole("link", { name: "PO-1", exact: true }).click();
  await button(/^Aprobar orden/).click();
  await button("Imprimir hojas").click();
  await expect(page.getByText("Las hojas están listas")).toBeVisible();
  await page.getByRole("link", { name: "1" }).click();
  // The first process has taken on the owner, who made it.
  for (const move of ["Meter 8 a Fundición", "Sacar 8 de Fundición"]) {
    // oxlint-disable no-await-in-loop -- one movement after the other
    await button(move).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Fundición/ })
      .click();
    await button(move.replace("8", "8 piezas")).click();
    // oxlint-enable no-await-in-loop
  }
  await button("Terminar").click();
  await button("Aceptar").click();
  await expectSaved(page);
  await expect(page.getByRole("dialog", { name: "Seleccione el nuevo estado" })).toBeHidden();
  await button("Cerrar").click();
  await expect(page.getByRole("article", { name: /^Detalle de la línea 1/ })).toBeHidden();
  // The bill's lines arrive after the number is typed.
  let arrive = () => {};
  const typed = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/deliveries\/billable/, async (route) => {
    await typed;
    await route.continue();
  });
  await button(/^Facturar/).click();
  await page.getByLabel("Guía").fill("GUIA-1");
  arrive();
  await expect(page.getByLabel(/^Cantidad por facturar/)).toHaveValue("8");
  await button("Facturar").click();
  await page.getByRole("dialog").getByRole("button", { name: "Sí, facturar" }).click();
  await expect(page.getByRole("heading", { name: /^Factura F-\d{4,}$/ })).toBeVisible();

  await page.getByRole("link", { name: /ir al inicio$/ }).click();
  await expect(start).toBeHidden();
  expect(count.clicks, "clicks").toBeLessThanOrEqual(CLICKS_MOST);
  expect(count.pages.size, [...count.pages].join(" ")).toBeLessThanOrEqual(PAGES_MOST);
  await context.close();
});

/** The word that something was saved names it and leads to it. */
import { expect, fillOrder, test, unique } from "./fixtures";

const NEW_MATERIAL = "/#/catalogs/materials?record=new";

test("what was added is named as text, and a key and Enter lead to it", async ({ pageOf }) => {
  const page = await pageOf("admin");
  const name = `${unique()} <img src=x onerror=window.hurt=1> ${"plata ".repeat(20)}fin`;
  await page.goto(NEW_MATERIAL);
  const form = page.getByRole("dialog");
  await form.getByLabel("Nombre").fill(name);
  await form.getByRole("button", { name: "Guardar" }).click();
  await expect(form).toBeHidden();
  const toast = page.locator(".ob-toast");
  await expect(toast).toHaveText(`Guardado correctamente: ${name}`);
  const link = toast.getByRole("link", { name });
  await page.keyboard.press("g");
  await expect(link).toBeFocused();
  await expect(link).toHaveAttribute("title", name);
  const [box, { width }] = [await toast.boundingBox(), page.viewportSize()!];
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(width);
  expect(await link.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
  expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  // It stays for as long as the focus is on it.
  await page.waitForTimeout(4_000);
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/catalogs\/materials\?record=\d+$/);
  await expect(form.getByLabel("Nombre")).toHaveValue(name);
  await expect(toast).toHaveCount(0);

  await form.getByRole("button", { name: "Eliminar" }).click();
  const question = page.getByRole("dialog", { name: "Confirmar eliminación" });
  await question.getByRole("button", { name: "Eliminar" }).click();
  await expect(toast).toHaveText(`Eliminado correctamente: ${name}`);
  await expect(toast.getByRole("link")).toHaveCount(0);
});

test("a new order is named in the list, and its name leads to it; what is typed meanwhile is asked about", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/operations/sales-orders/new");
  const po = `E2E-${unique()}`;
  await fillOrder(page, po);
  await page.getByRole("button", { name: "Guardar orden" }).click();
  await expect(page).toHaveURL(/\/operations\/sales-orders$/);
  const link = page.locator(".ob-toast").getByRole("link", { name: `Orden ${po}` });
  // As long as the pointer is on it.
  await link.hover();
  await page.waitForTimeout(4_000);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/sales-orders\/new$/);
  await page.getByRole("textbox", { name: "PO#", exact: true }).fill("Otra");
  await link.click();
  const question = page.getByRole("dialog", { name: "Hay cambios sin guardar" });
  await question.getByRole("button", { name: "Salir sin guardar" }).click();
  await expect(page).toHaveURL(/\/operations\/sales-orders\/\d+$/);
  await expect(page.getByRole("heading", { name: po })).toBeVisible();
});

/** A toast names the saved record and links to it. */
import { expect, test, unique } from "./fixtures";

const NEW_MATERIAL = "/#/catalogs/materials?record=new";

test("a toast names the added record as plain text, and keys open it", async ({ pageOf }) => {
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

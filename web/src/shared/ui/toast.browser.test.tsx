import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showApp } from "@/testing/app";

it("names the added record as plain text in one line, and keys open it", async () => {
  const name = `<img src=x onerror=window.hurt=1> ${"plata ".repeat(20)}fin`;
  const material = { id: 3, name, description: "", status: true, version: 1 };
  const asked = await showApp({
    at: "/catalogs/materials?record=new",
    permissions: ["ListMaterials", "CreateMaterial", "UpdateMaterial", "DeleteMaterial"],
    answers: {
      "POST /api/materials": material,
      "GET /api/materials/3": material,
      "DELETE /api/materials/3": material,
    },
  });
  const form = page.getByRole("dialog");
  await form.getByLabelText("Nombre", { exact: true }).fill(name);
  await form.getByRole("button", { name: "Guardar" }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(asked).toContainEqual(
    expect.objectContaining({ path: "/api/materials", body: expect.objectContaining({ name }) }),
  );

  const toast = () => document.querySelector(".ob-toaster")?.textContent;
  await expect.poll(toast).toBe(`Guardado correctamente: ${name}`);
  const link = page.getByRole("link", { name });
  await userEvent.keyboard("g");
  await expect.element(link).toHaveFocus();
  await expect.element(link).toHaveAttribute("title", name);
  const { left, right } = link.element().getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(window.innerWidth);
  expect(link.element().scrollWidth).toBeGreaterThan(link.element().clientWidth);
  expect("hurt" in window).toBe(false);

  await userEvent.keyboard("{Enter}");
  await expect.poll(() => window.location.hash).toBe("#/catalogs/materials?record=3");
  await expect.element(form.getByLabelText("Nombre", { exact: true })).toHaveValue(name);
  await expect.poll(toast).toBe("");

  await form.getByRole("button", { name: "Eliminar" }).click();
  const question = page.getByRole("dialog", { name: "Confirmar eliminación" });
  await question.getByRole("button", { name: "Eliminar" }).click();
  await expect.poll(toast).toBe(`Eliminado correctamente: ${name}`);
  await expect.element(link).not.toBeInTheDocument();
});

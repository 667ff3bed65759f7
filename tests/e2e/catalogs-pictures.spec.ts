/** The pictures of companies: chosen, refused, shown, replaced and removed. */
import type { Locator, Route } from "@playwright/test";
import type { Company } from "@/contract";
import { expect, expectSaved, test, unique } from "./fixtures";
import { png } from "./pictures";

test("a picture is chosen, shown, requested again when its address has expired, replaced and removed", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  const called = `Empresa ${unique()}`;
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/document/")) calls.push(request.method());
  });
  await page.goto("/#/catalogs/companies");
  await page.getByRole("button", { name: "Nueva empresa" }).first().click();
  const adding = page.getByRole("dialog", { name: "Nueva empresa" });
  await adding.getByLabel("Nombre", { exact: true }).fill(called);
  const file = (drawer: Locator) => drawer.locator("input[type=file][accept^=image]");
  await file(adding).setInputFiles({
    name: "logo.gif",
    mimeType: "image/gif",
    buffer: Buffer.from("GIF89a"),
  });
  await expect(adding.getByRole("alert")).toHaveText("Solo se aceptan imágenes png y jpeg");
  await file(adding).setInputFiles({
    name: "falsa.png",
    mimeType: "image/png",
    buffer: Buffer.from("no es una imagen"),
  });
  await expect(adding.getByRole("alert")).toHaveText("Solo se aceptan imágenes png y jpeg");
  await file(adding).setInputFiles(png("logo (año 1).png"));
  await expect(adding.getByRole("button", { name: "Ver la imagen en grande" })).toBeVisible();
  await adding.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  expect(calls).toEqual(["POST"]);

  await page.getByRole("searchbox").fill(called);
  const thumb = page.locator("tbody img.ob-thumb");
  const drawn = () =>
    expect
      .poll(() => thumb.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  await expect(thumb).toHaveCount(1);
  await drawn();
  const first = await thumb.getAttribute("src");
  const token = await page.evaluate(() => localStorage.getItem("token"));
  expect(token).toBeTruthy();
  expect(first).not.toContain(token ?? "");
  const stored = async () =>
    (await api.call<Company[]>("GET", `/api/companies?search=${encodeURIComponent(called)}`))[0];
  expect((await stored())?.nameImage).toBe("logo -año 1");

  // The list answers an expired address until the picture is requested: the client requests a new one.
  let isExpired = true;
  page.on("request", (request) => {
    if (request.url().includes("/api/images/vencida")) isExpired = false;
  });
  const expired = async (route: Route) => {
    if (!isExpired) return route.continue();
    const response = await route.fetch();
    const rows = (await response.json()) as Company[];
    await route.fulfill({
      response,
      json: rows.map((row) => ({ ...row, thumbnail: "/api/images/vencida" })),
    });
  };
  await page.route("**/api/companies?*", expired);
  const refused = page.waitForResponse("**/api/images/vencida*");
  // Without a stored copy to begin from, the page asks for the list.
  await page.addInitScript(() =>
    Object.defineProperty(globalThis, "indexedDB", { value: undefined }),
  );
  await page.reload();
  await expect(thumb).toHaveAttribute("src", /^\/api\/images\/(?!vencida)/);
  expect((await refused).status()).toBe(404);
  await drawn();

  // Replace the picture.
  await page.getByRole("main").getByRole("link", { name: called }).click();
  const editing = page.getByRole("dialog", { name: called });
  await editing.getByRole("button", { name: "Ver la imagen en grande" }).click();
  const large = page.getByRole("dialog", { name: "Imagen" });
  await expect(large.getByRole("img", { name: "Imagen" })).toBeVisible();
  await large.getByRole("button", { name: "Cerrar" }).click();
  await expect(large).toBeHidden();
  await file(editing).setInputFiles(png("otro.png", [20, 90, 160]));
  await editing.getByRole("button", { name: "Guardar" }).click();
  await expect(editing).toBeHidden();
  await expect(thumb).not.toHaveAttribute("src", first ?? "");
  await drawn();
  expect(calls).toEqual(["POST", "POST"]);

  await page.getByRole("main").getByRole("link", { name: called }).click();
  await editing.getByRole("button", { name: "Quitar" }).click();
  await expect(editing.getByText("La imagen se quitará al guardar.")).toBeVisible();
  await editing.getByRole("button", { name: "Guardar" }).click();
  await expect(thumb).toHaveCount(0);
  expect((await stored())?.image).toBeNull();
});

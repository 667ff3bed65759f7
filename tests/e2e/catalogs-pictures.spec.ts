/** The pictures of companies, customers and products: chosen, replaced, removed, refused, and asked for anew. */
import type { Locator, Route } from "@playwright/test";
import type { Company, Customer, Item } from "@/contract";
import { expect, expectSaved, test, unique } from "./fixtures";
import { png } from "./pictures";

test("a picture is chosen, shown, replaced and removed", async ({ apiOf, pageOf }) => {
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
  const file = (drawer: Locator) => drawer.locator("input[type=file]");
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

  // Another one takes the place of the old one.
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

test("a picture that does not arrive is said, the old one stays, and the chosen one is sent again", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin");
  const key = `P ${unique()}`;
  await page.route("**/document/**", (route) => route.abort("connectionreset"));
  await page.goto("/#/catalogs/products");
  await page.getByRole("button", { name: "Nuevo producto" }).click();
  const drawer = page.getByRole("dialog", { name: "Nuevo producto" });
  await drawer.getByLabel("Clave").fill(key);
  await drawer.getByLabel("Nombre").fill(key);
  await drawer.locator("input[type=file]").setInputFiles(png("anillo.png"));
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  await expect(page.getByText("No se pudo cambiar o agregar la imagen")).toBeVisible();
  const api = await apiOf("admin");
  const found = await api.call<Item[]>("GET", `/api/items?search=${encodeURIComponent(key)}`);
  expect(found).toHaveLength(1);
  expect(found[0]?.image).toBeNull();

  // The file is still there: the record is not added again.
  await expect(drawer.getByRole("alert")).toContainText("La que eligió sigue aquí");
  await page.unrouteAll({ behavior: "wait" });
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer).toBeHidden();
  const stored = () => api.call<Item[]>("GET", `/api/items?search=${encodeURIComponent(key)}`);
  const first = await stored();
  expect(first).toHaveLength(1);
  expect(first[0]?.nameImage).toBe("anillo");

  // What replaces a picture and does not arrive has not removed it.
  await page.route("**/document/**", (route) => route.abort("connectionreset"));
  await page.goto(`/#/catalogs/products?search=${encodeURIComponent(key)}`);
  await page.getByRole("link", { name: key }).first().click();
  const editing = page.getByRole("dialog", { name: key });
  await editing.locator("input[type=file]").setInputFiles(png("otra.png", [20, 90, 160]));
  await editing.getByRole("button", { name: "Guardar" }).click();
  await expect(editing.getByRole("alert")).toContainText("sigue la que había");
  expect((await stored())[0]).toMatchObject({ nameImage: "anillo", version: first[0]?.version });
});

test("an address that has run out is asked for anew", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  const called = `Casa ${unique()}`;
  await page.goto("/#/catalogs/customers");
  await page.getByRole("button", { name: "Nuevo cliente" }).click();
  const adding = page.getByRole("dialog", { name: "Nuevo cliente" });
  await adding.getByLabel("Nombre", { exact: true }).fill(called);
  await adding.locator("input[type=file]").setInputFiles(png("q.png"));
  await adding.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  const search = `search=${encodeURIComponent(called)}`;
  const [{ thumbnail } = { thumbnail: null }] = await api.call<Customer[]>(
    "GET",
    `/api/customers?${search}`,
  );
  // The list once answers with an address that is no longer good.
  const expired = async (route: Route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as Customer[];
    await route.fulfill({
      response,
      json: rows.map((row) => ({ ...row, thumbnail: "/api/images/vencida" })),
    });
  };
  await page.route(`**/api/customers?*${search.slice(0, 11)}*`, expired, { times: 1 });
  const refused = page.waitForResponse("**/api/images/vencida");
  await page.goto(`/#/catalogs/customers?${search}`);
  const row = page.getByRole("row").filter({ hasText: called });
  await expect(row.locator("img.ob-thumb")).toHaveAttribute("src", thumbnail ?? "");
  expect((await refused).status()).toBe(404);
});

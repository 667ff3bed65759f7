/** Forms of single catalogs: all fields of a customer, all fields of a product, the order of the processes. */
import type { Locator } from "@playwright/test";
import type { Customer, Item, ProductionProcess } from "@/contract";
import { choose, expect, expectSaved, test, unique } from "./fixtures";

const group = (drawer: Locator, name: string) => drawer.getByRole("group", { name, exact: true });

test("a customer is saved with addresses, telephones and e-mails", async ({ apiOf, pageOf }) => {
  test.slow();
  const page = await pageOf("sales");
  const called = `Casa ${unique()}`;
  await page.goto("/#/catalogs/customers");
  await page.getByRole("button", { name: "Nuevo cliente" }).click();
  const drawer = page.getByRole("dialog", { name: "Nuevo cliente" });
  await drawer.getByLabel("Nombre", { exact: true }).fill(called);
  await drawer.getByLabel("Quinto").fill("QX");

  await drawer.getByRole("button", { name: "Agregar domicilio" }).click();
  const address = group(drawer, "Domicilio 1");
  await address.getByLabel("Calle").fill("Calle de la Plata");
  await address.getByLabel("Código postal").fill("04000");
  await choose(page, address.getByLabel("País"), "México");
  await drawer.getByRole("button", { name: "Agregar domicilio" }).click();
  await expect(group(drawer, "Domicilio 2")).toContainText("De envío");
  await group(drawer, "Domicilio 2").getByLabel("Calle").fill("Muelle 7");

  await drawer.getByRole("button", { name: "Agregar teléfono" }).click();
  const phone = group(drawer, "Teléfono 1");
  await choose(page, phone.getByLabel("Código de país"), "+34");
  await phone.getByLabel("Número").fill("91 555-0100x");
  await phone.getByLabel("Extensión").fill("12");
  await drawer.getByRole("button", { name: "Agregar correo" }).click();
  await drawer.getByRole("textbox", { name: "Correo 1" }).fill("compras@cliente.test");
  await drawer.getByRole("button", { name: "Agregar correo" }).click();
  await drawer.getByRole("textbox", { name: "Correo 2" }).fill("nadie");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer.getByText("Solo dígitos, espacios, guiones y paréntesis")).toBeVisible();
  await expect(drawer.getByText("Correo no válido")).toBeVisible();
  await phone.getByLabel("Número").fill("91 555-0100");
  await drawer.getByRole("button", { name: "Quitar Correo 2" }).click();
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);

  const api = await apiOf("admin");
  const [customer] = await api.call<Customer[]>(
    "GET",
    `/api/customers?search=${encodeURIComponent(called)}`,
  );
  expect(customer).toMatchObject({
    quinto: "QX",
    addresses: [
      { kind: "Commercial", street: "Calle de la Plata", postalCode: "04000", country: "MX" },
      { kind: "Shipping", street: "Muelle 7" },
    ],
    phones: [{ countryCode: "+34", number: "91 555-0100", extension: "12" }],
    emails: ["compras@cliente.test"],
  });
});

test("a product is saved with its tariff item, its unit and its component rows in order", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const mark = unique();
  const code = `7${mark.slice(-9)}`;
  await api.call("POST", "/api/export-tax-items", { code, spanishDescription: `Joyas ${mark}` });
  await Promise.all(
    ["Broche", "Cadena"].map((name) =>
      api.call("POST", "/api/components", { name: `${name} ${mark}` }),
    ),
  );
  await api.call("POST", "/api/materials", { name: `Oro ${mark}` });
  const page = await pageOf("admin");
  await page.goto("/#/catalogs/products");
  await page.getByRole("button", { name: "Nuevo producto" }).click();
  const drawer = page.getByRole("dialog", { name: "Nuevo producto" });
  await drawer.getByLabel("Clave").fill(`K-${mark}`);
  await drawer.getByLabel("Nombre").fill(`Collar ${mark}`);
  // The server searches the tariff item by its description.
  await choose(page, drawer.getByLabel("Fracción arancelaria"), `Joyas ${mark}`);
  await choose(page, drawer.getByLabel("Unidad SAT"), "H87");
  await drawer.getByLabel("Impuesto (%)").fill("16");
  await drawer.getByLabel("Precio de venta").fill("1250.75");
  await drawer.getByLabel("Prioridad").fill("12");
  await drawer.getByLabel("Medidas").fill("45 cm");
  await drawer.getByRole("switch", { name: "Antigüedad" }).click();
  for (const [place, name] of ["Broche", "Cadena"].entries()) {
    // oxlint-disable no-await-in-loop -- one row after the other, as a person does
    await drawer.getByRole("button", { name: "Agregar componente" }).click();
    const row = group(drawer, `Componente ${place + 1}`);
    await choose(page, row.getByRole("combobox", { name: "Componente" }), `${name} ${mark}`);
    // oxlint-enable no-await-in-loop
  }
  const second = group(drawer, "Componente 2");
  await choose(page, second.getByRole("combobox", { name: "Material" }), `Oro ${mark}`);
  await second.getByLabel("Notas").fill("Eslabón fino");
  await drawer.getByRole("button", { name: "Subir Componente 2" }).click();
  await expect(drawer.getByText("Debe ser 9 o menos")).toBeVisible();
  await expect(drawer.getByRole("button", { name: "Guardar" })).toBeDisabled();
  await drawer.getByLabel("Prioridad").fill("3");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);

  const [item] = await api.call<Item[]>("GET", `/api/items?search=K-${mark}`);
  expect(item).toMatchObject({
    taxItemKey: code,
    satUnitMeasurement: "H87",
    taxAmount: 16,
    sellPrice: 1250.75,
    priority: 3,
    antique: true,
    measures: "45 cm",
    components: [
      { componentName: `Cadena ${mark}`, materialName: `Oro ${mark}`, notes: "Eslabón fino" },
      { componentName: `Broche ${mark}`, materialName: null },
    ],
  });
});

test(
  "processes are reordered by buttons, keyboard and mouse, and another browser follows",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const order = async () => {
      const all = await api.call<ProductionProcess[]>(
        "GET",
        "/api/production-processes?ordering=order",
      );
      return all.map(({ name }) => name);
    };
    const before = await order();
    const page = await pageOf("boss");
    const watching = await pageOf("admin");
    await watching.goto("/#/catalogs/production-process");
    await expect(watching.getByText("En vivo")).toBeVisible();
    await page.goto("/#/catalogs/production-process");
    await page.getByRole("button", { name: "Ordenar" }).click();
    const drawer = page.getByRole("dialog", { name: "Orden de los procesos" });
    const rows = drawer.getByRole("listitem");
    const [one = "", two = "", three = ""] = before;
    await expect(rows.first()).toContainText(one);

    await drawer.getByRole("button", { name: `Bajar ${one}` }).click();
    await expect(rows.first()).toContainText(two);
    await expect.poll(order).toEqual([two, one, ...before.slice(2)]);
    await expect(watching.locator("tbody tr.ant-table-row").first()).toContainText(two);

    // By keyboard: pick up, move one place up, drop.
    const grip = drawer.getByRole("button", { name: `Mover ${one}` });
    await expect(drawer.locator("ol")).toHaveAttribute("aria-busy", "false");
    await grip.focus();
    await page.keyboard.press("Space");
    await expect(page.getByText(`${one} sobre el lugar 2`)).toBeAttached();
    await page.keyboard.press("ArrowUp");
    await expect(page.getByText(`${one} sobre el lugar 1`)).toBeAttached();
    await page.keyboard.press("Space");
    await expect.poll(order).toEqual(before);

    // By mouse: drag the first to the place of the third, then move it back by buttons.
    await expect(drawer.locator("ol")).toHaveAttribute("aria-busy", "false");
    const from = await grip.boundingBox();
    const to = await drawer.getByRole("button", { name: `Mover ${three}` }).boundingBox();
    if (from === null || to === null) throw new Error("The grips stand nowhere.");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await expect(page.getByText(`${one} sobre el lugar 3`)).toBeAttached();
    await page.mouse.up();
    await expect.poll(order).toEqual([two, three, one, ...before.slice(3)]);
    for (const place of [2, 1]) {
      // oxlint-disable no-await-in-loop -- each move is saved before the next
      await expect(rows.nth(place)).toContainText(one);
      await drawer.getByRole("button", { name: `Subir ${one}` }).click();
      await expect(rows.nth(place - 1)).toContainText(one);
      await expect(drawer.locator("ol")).toHaveAttribute("aria-busy", "false");
      // oxlint-enable no-await-in-loop
    }
    await expect.poll(order).toEqual(before);
  },
);

/** Users, roles, permissions and the audit, as an administrator works with them. */
import { expect, expectSaved, signIn, test, unique } from "./fixtures";
import { newPerson } from "./people";

test("a user sees the menu of their role, and leaves a page when its permission is removed", async ({
  apiOf,
  pageOf,
  page,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const admin = await pageOf("admin");
  const mark = unique();
  const role = `Almacén ${mark}`;
  const email = `almacen${mark}@obrador.test`;

  await admin.goto("/#/administration/roles");
  await admin.getByRole("button", { name: "Nuevo rol" }).click();
  const roleDrawer = admin.getByRole("dialog", { name: "Nuevo rol" });
  await roleDrawer.getByRole("button", { name: "Guardar" }).click();
  await expect(roleDrawer.getByText("Este dato es obligatorio")).toBeVisible();
  await roleDrawer.getByLabel("Nombre").fill(role);
  const search = roleDrawer.getByRole("searchbox", { name: "Buscar un permiso" });
  for (const [text, box] of [
    ["ordenes de venta", /^Ver órdenes de venta/],
    ["ShopFloor", /^Ver el tablero de piso/],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one search after the other
    await search.fill(text);
    await roleDrawer.getByRole("checkbox", { name: box }).check();
    // oxlint-enable no-await-in-loop
  }
  await expect(roleDrawer.getByText("2 permisos")).toBeVisible();
  await roleDrawer.getByRole("button", { name: "Guardar" }).dblclick();
  await expectSaved(admin);
  await expect(admin.getByRole("link", { name: role })).toHaveCount(1);

  await admin.goto("/#/administration/users");
  await admin.getByRole("button", { name: "Nuevo usuario" }).click();
  const userDrawer = admin.getByRole("dialog", { name: "Nuevo usuario" });
  await userDrawer.getByLabel("Nombre").fill("Alma");
  await userDrawer.getByLabel("Correo electrónico").fill("ventas@obrador.test");
  await userDrawer.getByLabel("Contraseña", { exact: true }).fill("debil");
  await userDrawer.getByRole("button", { name: "Guardar" }).click();
  await expect(userDrawer.getByText(/^Debe tener una mayúscula/)).toBeVisible();
  await userDrawer.getByLabel("Contraseña", { exact: true }).fill("Prueba.2026");
  await userDrawer.getByRole("combobox", { name: "Roles" }).fill(role);
  await admin.keyboard.press("Enter");
  await expect(userDrawer.locator(".ant-select-selection-item", { hasText: role })).toBeVisible();
  await admin.keyboard.press("Escape");
  await userDrawer.getByRole("button", { name: "Guardar" }).click();
  await expect(userDrawer.getByText("Ya existe")).toBeVisible();
  await userDrawer.getByLabel("Correo electrónico").fill(email);
  await userDrawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(admin);

  await page.goto("/");
  await signIn(page, { email, password: "Prueba.2026" });
  await expect(page).toHaveURL(/#\/home$/);
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  const menu = page.getByRole("navigation", { name: "Menú principal" });
  await expect(menu.getByRole("link")).toHaveText([
    "Inicio",
    "Órdenes de venta",
    "Piso de producción",
  ]);
  await menu.getByRole("link", { name: "Piso de producción" }).click();
  await expect(page.getByRole("heading", { name: "Piso de producción" })).toBeVisible();
  await expect(page.getByRole("banner").getByText("En vivo", { exact: true })).toBeVisible();

  // The administrator removes the permission for the board: the user leaves its page at once.
  const roles = await api.call<{ id: number }[]>(
    "GET",
    `/identity/roles?search=${encodeURIComponent(role)}`,
  );
  await admin.goto(`/#/administration/roles?record=${roles[0]?.id}`);
  const open = admin.getByRole("dialog", { name: role });
  await open.getByRole("searchbox").fill("ShopFloor");
  await open.getByRole("checkbox", { name: /^Ver el tablero de piso/ }).uncheck();
  await open.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("No tiene permisos para realizar esta acción.")).toBeVisible();
  await expect(page).toHaveURL(/#\/home$/);
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  await expect(menu.getByRole("link")).toHaveText(["Inicio", "Órdenes de venta"]);

  // When the permission is given back, its entry returns to the open menu.
  await api.call("PUT", `/identity/roles/${roles[0]?.id}`, {
    permissions: ["ListSalesOrders", "ShopFloor"],
  });
  await expect(menu.getByRole("link")).toHaveText([
    "Inicio",
    "Órdenes de venta",
    "Piso de producción",
  ]);
});

test("the second of two administrators sees what changed and keeps their input; the audit lists both changes", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const somebody = await newPerson(api, []);
  const page = await pageOf("admin");
  await page.goto(`/#/administration/users?record=${somebody.id}`);
  // Find it by its form: its title changes with the name.
  const drawer = page.getByRole("dialog").filter({ has: page.locator("form") });
  await drawer.getByLabel("Apellido materno").fill("Mío");
  await api.call("PUT", `/identity/users/${somebody.id}`, { firstName: "Ajeno", language: "en" });
  await drawer.getByRole("button", { name: "Guardar" }).click();
  const note = drawer.getByRole("alert").filter({ hasText: "Alguien cambió estos datos" });
  await expect(note).toContainText("Nombre: Prueba → Ajeno");
  await expect(note).toContainText("Idioma: Español → English");
  await expect(drawer.getByLabel("Apellido materno")).toHaveValue("Mío");
  await drawer.getByRole("button", { name: "Cancelar" }).click();
  await page.getByRole("button", { name: "Seguir aquí" }).click();
  await drawer.getByRole("button", { name: "Guardar de todos modos" }).click();
  await expectSaved(page);
  await expect(drawer).toBeHidden();

  await page.goto(`/#/administration/users?record=${somebody.id}`);
  await page.getByRole("link", { name: "Historial de cambios" }).click();
  await expect(page).toHaveURL(
    new RegExp(`/administration/audit\\?entity=users&entityId=${somebody.id}$`),
  );
  const rows = page.getByRole("main").locator("tbody tr.ant-table-row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("Apellido materno");
  await expect(rows.nth(0)).toContainText("Mío");
  await expect(rows.nth(1)).toContainText("Prueba");
  await expect(rows.nth(1)).toContainText("Ajeno");
  await expect(rows.nth(2)).toContainText("Alta");
});

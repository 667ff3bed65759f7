/** The first day: the list of first steps, roles from templates, people with a PIN alone, and parts created where they are missed. */
import type { Item, User } from "@/contract";
import { expect, expectSaved, test, unique } from "./fixtures";
import { expectAccessible } from "./looks";
import { newPerson } from "./people";

const STEPS = [
  "company",
  "processes",
  "roles",
  "people",
  "customers",
  "products",
  "order",
  "sheet",
  "movement",
];

test("a new installation lists what to set up, each a link, until it is hidden", async ({
  apiOf,
  pageOf,
}) => {
  const keeper = await newPerson(await apiOf("admin"), [
    "UpdateRole",
    "CreateCompany",
    "ListCompanies",
  ]);
  const page = await pageOf(keeper);
  let done = ["company"];
  // The demo is a workshop at work: answer as an empty installation does.
  await page.route("**/api/start", (route) =>
    route.fulfill({
      json: {
        steps: STEPS.map((name) => ({ name, done: done.includes(name) })),
        sample: "offered",
      },
    }),
  );
  await page.goto("/#/home");
  const list = page.getByRole("region", { name: "Prepare su taller" });
  await expect(list.getByText("1 de 9 listos")).toBeVisible();
  await expect(list.getByRole("button", { name: "Cargar el taller de ejemplo" })).toBeVisible();
  await list.getByRole("button", { name: "Empezar vacío" }).click();
  await expect(list.getByRole("button", { name: "Cargar el taller de ejemplo" })).toHaveCount(0);
  await expectAccessible(page, "the first day");

  await list.getByRole("link", { name: "Su empresa" }).click();
  await expect(page.getByRole("dialog", { name: "Nueva empresa" })).toBeVisible();
  done = ["company", "processes"];
  await page.goto("/#/home");
  await expect(list.getByText("2 de 9 listos")).toBeVisible();
  await list.getByRole("button", { name: "Ocultar la lista" }).click();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(list).toHaveCount(0);
});

test("a role starts from a template, says what it lacks, and becomes another one by copying", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  const name = `Piso ${unique()}`;
  await page.goto("/#/administration/roles");
  await page.getByRole("button", { name: "Nuevo rol" }).click();
  const drawer = page.getByRole("dialog", { name: "Nuevo rol" });
  await expect(drawer.getByText("Este rol no permite nada", { exact: false })).toBeVisible();
  await expect(
    drawer.getByRole("button", { name: "Taller (ya existe)", exact: true }),
  ).toBeVisible();
  await drawer.getByLabel("Nombre", { exact: true }).fill(name);
  await drawer.getByRole("searchbox").fill("estación");
  await drawer.getByRole("checkbox", { name: /^Usar una estación/ }).check();
  await expect(drawer.getByText(/le falta: .*«Sin cierre por inactividad»/)).toBeVisible();
  await drawer.getByRole("button", { name: "Agregar lo que falta" }).click();
  await expect(
    drawer.getByText(/^Quien lo tiene puede usar una estación, meter y sacar/),
  ).toBeVisible();
  await expect(drawer.getByText(/le falta/)).toHaveCount(0);
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);

  await page.getByRole("link", { name }).first().click();
  await page.getByRole("dialog", { name }).getByRole("button", { name: "Copiar este rol" }).click();
  await expect(drawer.getByLabel("Nombre", { exact: true })).toHaveValue(`Copia de ${name}`);
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  const roles = await api.call<{ name: string; permissions: string[] }[]>(
    "GET",
    `/identity/roles?search=${encodeURIComponent(name)}`,
  );
  expect(roles.map((role) => role.name).toSorted()).toEqual([`Copia de ${name}`, name].toSorted());
  expect(roles[0]!.permissions).toEqual(roles[1]!.permissions);
});

test("a worker gets a proposed PIN and no e-mail, and the administrator's role only after a question", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  const last = unique();
  await page.goto("/#/administration/users");
  await page.getByRole("button", { name: "Nuevo usuario" }).click();
  const drawer = page.getByRole("dialog", { name: "Nuevo usuario" });
  await drawer.getByLabel("Nombre", { exact: true }).fill("Juan");
  await drawer.getByLabel("Apellido paterno").fill(last);
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer.getByText("Escriba un correo o un PIN: con uno basta")).toBeVisible();
  await expect(drawer.getByLabel("Contraseña", { exact: true })).toHaveCount(0);
  const pin = drawer.getByLabel("PIN para estaciones");
  await pin.fill("210601");
  await drawer.getByRole("combobox", { name: "Roles" }).fill("Administración");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  const question = page.getByRole("dialog", { name: "¿Dar el rol Administración a Juan?" });
  await question.getByRole("button", { name: "No, conservar" }).click();
  await expect(question).toBeHidden();
  const roles = drawer.getByRole("combobox", { name: "Roles" });
  await roles.press("Backspace");
  await roles.fill("Taller");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(drawer.getByText(/^Quien lo tiene puede usar una estación/)).toBeVisible();
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer.getByText("Otra persona ya tiene ese PIN: elija otro")).toBeVisible();
  await drawer.getByRole("button", { name: "Proponer uno" }).click();
  await expect(pin).toHaveValue(/^\d{6}$/);
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  const [juan] = await api.call<User[]>("GET", `/identity/users?search=${last}`);
  expect(juan).toMatchObject({ email: null, hasPin: true, firstName: "Juan" });
});

test("a component and a material that a product misses are created and chosen by keys", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const mark = unique();
  const page = await pageOf("admin");
  await page.goto("/#/catalogs/products?record=new");
  const drawer = page.getByRole("dialog", { name: "Nuevo producto" });
  await drawer.getByLabel("Clave").fill(`K-${mark}`);
  await drawer.getByLabel("Nombre").fill(`Dije ${mark}`);
  await drawer.getByRole("button", { name: "Agregar componente" }).click();
  const row = drawer.getByRole("group", { name: "Componente 1", exact: true });
  const component = row.getByRole("combobox", { name: "Componente" });
  await expect(component).toBeFocused();
  await expect(row).toBeInViewport();
  for (const [field, kind, name] of [
    [component, "componente", `Bisel ${mark}`],
    [row.getByRole("combobox", { name: "Material" }), "material", `Latón ${mark}`],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one after the other
    await field.fill(name);
    await expect(page.getByText(`Crear «${name}»`)).toBeVisible();
    await page.keyboard.press("Enter");
    const small = page.getByRole("dialog", { name: `Nuevo ${kind}` });
    await expect(small.getByLabel("Nombre")).toHaveValue(name);
    // A key that is pressed while the drawer slides in goes to the field behind it.
    await expect(small.getByLabel("Nombre")).toBeFocused();
    await page.keyboard.press("Control+Enter");
    await expect(small).toBeHidden();
    await expect(row.getByTitle(name)).toBeVisible();
    // oxlint-enable no-await-in-loop
  }
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer).toBeHidden();
  const [item] = await api.call<Item[]>("GET", `/api/items?search=K-${mark}`);
  expect(item!.components).toMatchObject([
    { componentName: `Bisel ${mark}`, materialName: `Latón ${mark}` },
  ]);
});

import { expect, it } from "vitest";
import { page, type Locator } from "vitest/browser";
import type { Permission, PermissionRow, Role, User } from "@/contract";
import { open, showApp } from "@/testing/app";
import { aSession } from "@/testing/builders";
import { choose, offered } from "@/testing/choose";
import { Refused, type Asked } from "@/testing/pages";

const aPermission = (action: Permission, words: Partial<PermissionRow> = {}) => ({
  action,
  group: "Operations",
  descriptionEs: action,
  descriptionEn: action,
  needs: [] as Permission[],
  ...words,
});
const aRole = (role: Partial<Role>): Role => ({
  id: 2,
  name: "Taller",
  description: "",
  secondFactor: "none",
  permissions: ["Station"],
  administrator: false,
  usersCount: 1,
  version: 1,
  ...role,
});
const aUser = (user: Partial<User> = {}): User => ({ ...aSession().user, id: 9, ...user });
const ROLES = [
  aRole({}),
  aRole({ id: 3, name: "Administración", permissions: ["DeleteUser"], administrator: true }),
];
const LISTS = {
  "GET /identity/roles": ({ query }: Asked) =>
    query["fields"] === "options" ? ROLES.map(({ id, name }) => ({ id, name })) : ROLES,
  "GET /identity/permissions": [
    aPermission("Station", {
      descriptionEs: "Usar una estación",
      descriptionEn: "Use a station",
      needs: ["NoAutoLogoutInactivity"],
    }),
    aPermission("NoAutoLogoutInactivity", {
      group: "Session",
      descriptionEs: "Sin cierre por inactividad",
    }),
    aPermission("DeleteUser", { group: "Administration", descriptionEs: "Borrar usuarios" }),
  ],
};
const MAY: Permission[] = [
  "ListUsers",
  "CreateUser",
  "UpdateUser",
  "ListRoles",
  "CreateRole",
  "UpdateRole",
  "ListPermissions",
];

const USERS = "/administration/users";
const ROLES_PAGE = "/administration/roles";
const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
const press = (name: string, within: Locator) =>
  within.getByRole("button", { name, exact: true }).click();
const field = (name: string, within: Locator) => within.getByLabelText(name, { exact: true });
const sent = (asked: Asked[], method: string, path: string) =>
  asked.filter((one) => one.method === method && one.path === path).map(({ body }) => body);

it("nobody grants a permission or a role beyond their own, or disables their account, and reads why", async () => {
  await showApp({
    at: `${ROLES_PAGE}?record=new`,
    permissions: MAY,
    answers: { ...LISTS, "GET /identity/users/7": aUser({ id: 7, roleIds: [] }) },
  });
  const role = dialog("Nuevo rol");
  await role.getByRole("searchbox").fill("borrar usuarios");
  await expect.element(role.getByRole("checkbox", { name: /^Borrar usuarios/ })).toBeDisabled();
  await expect
    .element(role.getByText("Usted no tiene este permiso: no puede otorgarlo."))
    .toBeVisible();

  await open(`${USERS}?record=7`);
  const own = dialog("Ana Ruiz");
  await expect.element(own.getByRole("switch", { name: "Activo" })).toBeDisabled();
  await expect.element(own.getByText(/^Es su propia cuenta/)).toBeVisible();
  const beyond = await offered(field("Roles", own), "Administración");
  expect(beyond.textContent).toContain("Tiene permisos que usted no tiene: no puede otorgarlo.");
  expect(beyond.classList).toContain("ant-select-item-option-disabled");
});

it("the list of users is searched and filtered by state, and the address keeps both", async () => {
  const asked = await showApp({
    at: `${USERS}?search=ana&locked=true`,
    permissions: ["ListUsers"],
    answers: { ...LISTS, "GET /identity/users": [aUser()] },
  });
  const last = () => asked.findLast(({ path }) => path === "/identity/users")?.query;
  await expect.element(page.getByRole("link", { name: "Ana Ruiz" })).toBeVisible();
  expect(last()).toMatchObject({ search: "ana", locked: "true" });
  await choose(page.getByRole("combobox", { name: "Estado" }), "Activo");
  await expect.poll(last).toMatchObject({ search: "ana", active: "true", locked: "false" });
  expect(window.location.hash).toContain("active=true");
});

it("a user is deleted after a question; if that is refused, it says why and offers to deactivate them", async () => {
  let refusal = new Refused(409, { code: "own_account", message: "Es su cuenta" });
  const asked = await showApp({
    at: `${USERS}?record=9`,
    permissions: [...MAY, "DeleteUser"],
    answers: {
      ...LISTS,
      "GET /identity/users/9": aUser(),
      "DELETE /identity/users/9": () => refusal,
      "PUT /identity/users/9": aUser({ active: false }),
    },
  });
  const refused = dialog("No se pudo eliminar");
  const tryToDelete = async () => {
    await press("Eliminar", dialog("Ana Ruiz"));
    const question = dialog("Confirmar eliminación");
    await expect.element(question.getByText("¿Eliminar Ana Ruiz?")).toBeVisible();
    await press("Eliminar", question);
  };
  await tryToDelete();
  await expect.element(refused.getByText("Es su cuenta")).toBeVisible();
  await expect.element(refused.getByRole("button", { name: "Desactivar" })).not.toBeInTheDocument();
  await refused.getByRole("button", { name: "Cerrar" }).last().click();
  await expect.element(refused).not.toBeInTheDocument();

  // A user who has moved pieces can only be deactivated.
  refusal = new Refused(409, { code: "in_use", message: "Está en uso por 1 movimiento" });
  await tryToDelete();
  await expect.element(refused.getByText("Está en uso por 1 movimiento")).toBeVisible();
  await press("Desactivar", refused);
  await expect.poll(() => sent(asked, "PUT", "/identity/users/9")).toEqual([{ active: false }]);
  await expect.element(refused).not.toBeInTheDocument();
});

it("each permission is listed in both languages with the roles that hold it", async () => {
  await showApp({
    at: "/administration/permissions",
    permissions: MAY,
    answers: { ...LISTS, "GET /identity/roles/2": ROLES[0] },
    language: "en",
  });
  const row = (name: string) => page.getByRole("row", { name });
  await expect.element(row("Use a station").getByText("Usar una estación")).toBeVisible();
  await expect.element(row("Sin cierre por inactividad").getByRole("link")).not.toBeInTheDocument();
  await row("Use a station").getByRole("link", { name: "Taller" }).click();
  await expect.element(dialog("Taller")).toBeVisible();
});

it("a role starts from a template, says what it lacks, and becomes another one by copying", async () => {
  const asked = await showApp({
    at: `${ROLES_PAGE}?record=new`,
    permissions: [...MAY, "Station", "NoAutoLogoutInactivity"],
    answers: {
      ...LISTS,
      "GET /identity/roles/templates": [
        { key: "floor", name: "Taller", description: "", permissions: ["Station"] },
        { key: "wax", name: "Cera", description: "Moldes", permissions: ["ListRoles", "Station"] },
      ],
      "GET /identity/roles/2": ROLES[0],
      "POST /identity/roles": aRole({ id: 4, name: "Cera" }),
    },
  });
  const form = dialog("Nuevo rol");
  const lacks = form.getByText(/le falta: .*«Sin cierre por inactividad»/);
  await expect.element(form.getByText(/^Este rol no permite nada/)).toBeVisible();
  await expect.element(form.getByRole("button", { name: "Taller (ya existe)" })).toBeVisible();
  await press("Cera", form);
  await expect.element(lacks).toBeVisible();
  await press("Agregar lo que falta", form);
  await expect.element(lacks).not.toBeInTheDocument();
  await expect.element(form.getByText(/^Quien lo tiene puede usar una estación/)).toBeVisible();
  await press("Guardar", form);
  await expect
    .poll(() => sent(asked, "POST", "/identity/roles"))
    .toEqual([
      {
        name: "Cera",
        description: "Moldes",
        permissions: ["ListRoles", "NoAutoLogoutInactivity", "Station"],
        secondFactor: "none",
      },
    ]);
  await expect.element(form).not.toBeInTheDocument();

  await page.getByRole("main").getByRole("link", { name: "Taller" }).click();
  await press("Copiar este rol", dialog("Taller"));
  await expect.element(field("Nombre", form)).toHaveValue("Copia de Taller");
  await press("Guardar", form);
  await expect
    .poll(() => sent(asked, "POST", "/identity/roles")[1])
    .toMatchObject({ name: "Copia de Taller", permissions: ["Station"] });
  await expect.element(form).not.toBeInTheDocument();
});

it("a worker gets a proposed PIN and no e-mail, and the administrator's role only after a question", async () => {
  const why = "Otra persona ya tiene ese PIN: elija otro";
  let answer: unknown = new Refused(422, {
    code: "validation_error",
    message: "",
    errors: [{ field: "pin", code: "taken", message: why, params: {} }],
  });
  const asked = await showApp({
    at: `${USERS}?record=new`,
    permissions: [...MAY, "Station", "DeleteUser"],
    answers: { ...LISTS, "POST /identity/users": () => answer },
  });
  const posted = () => sent(asked, "POST", "/identity/users");
  const form = dialog("Nuevo usuario");
  const [pin, roles] = [field("PIN para estaciones", form), field("Roles", form)];
  await field("Nombre", form).fill("Juan");
  await press("Guardar", form);
  await expect.element(form.getByText("Escriba un correo o un PIN: con uno basta")).toBeVisible();
  await expect.element(field("Contraseña", form)).not.toBeInTheDocument();
  await pin.fill("210601");
  await choose(roles, "Administración");
  await press("Guardar", form);
  const question = dialog("¿Dar el rol Administración a Juan?");
  await press("No, conservar", question);
  await expect.element(question).not.toBeInTheDocument();
  expect(posted()).toEqual([]);
  await choose(roles, "Administración");
  await choose(roles, "Taller");
  await expect.element(form.getByText(/^Quien lo tiene puede usar una estación/)).toBeVisible();
  await press("Guardar", form);
  await expect.element(form.getByText(why)).toBeVisible();
  answer = aUser({ firstName: "Juan" });
  await press("Proponer uno", form);
  await expect.poll(() => (pin.element() as HTMLInputElement).value).not.toBe("210601");
  await press("Guardar", form);
  await expect
    .poll(() => posted()[1])
    .toMatchObject({
      firstName: "Juan",
      email: null,
      pin: expect.stringMatching(/^\d{6}$/),
      roleIds: [2],
    });
  await expect.element(form).not.toBeInTheDocument();
});

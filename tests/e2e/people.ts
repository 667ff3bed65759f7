/** Accounts made for one journey, which may lock, change and delete them. */
import { unique, type Api, type Somebody } from "./fixtures";

export interface Made extends Somebody {
  id: number;
  name: string;
  roleId: number;
  roleName: string;
}

/** Create a user whose only role holds exactly these permissions. */
export async function newPerson(
  api: Api,
  permissions: string[],
  fields: Record<string, unknown> = {},
): Promise<Made> {
  const mark = unique();
  const password = "Prueba.2026";
  const roleName = `Rol ${mark}`;
  const email = `p${mark}@obrador.test`;
  const role = await api.call<{ id: number }>("POST", "/identity/roles", {
    name: roleName,
    permissions,
  });
  const user = await api.call<{ id: number; fullName: string }>("POST", "/identity/users", {
    email,
    password,
    firstName: "Prueba",
    lastName: mark,
    roleIds: [role.id],
    ...fields,
  });
  return { email, password, id: user.id, name: user.fullName, roleId: role.id, roleName };
}

/** Make a new badge for the person. Returns the code that a scanner reads from it. */
export async function badgeOf(admin: Api, { id }: Made): Promise<string> {
  return (await admin.call<{ code: string }>("POST", `/identity/users/${id}/badge`)).code;
}

/** Group, search and toggle permissions, for the role form and the table of permissions. */
import type { Permission, PermissionRow, Role } from "@/contract";
import { folded } from "@/shared/format/folded";
import type { Language } from "@/shared/language";

/** Address parameter: the id of the role that a new one copies. */
export const COPIED = "from";

/** The form of a role. */
export interface RoleValues {
  name: string;
  description: string;
  secondFactor: Role["secondFactor"];
  permissions: Permission[];
}

export const GROUPS = [
  "Dashboard",
  "Administration",
  "Catalogs",
  "Operations",
  "Billing",
  "Reports",
  "Session",
] as const;
export type Group = (typeof GROUPS)[number];

export interface Branch {
  group: Group;
  rows: PermissionRow[];
  /** Permissions of parts that the workshop does not use, which nobody has chosen: they are folded. */
  folded: PermissionRow[];
}

export function describe(row: PermissionRow, language: Language): string {
  return language === "en" ? row.descriptionEn : row.descriptionEs;
}

/**
 * Group permissions in menu order, without empty groups. `search` matches names and both
 * descriptions. `hidden`: those to fold unless one searches.
 */
export function branches(
  rows: readonly PermissionRow[],
  search: string = "",
  hidden: ReadonlySet<Permission> = new Set(),
): Branch[] {
  const wanted = folded(search.trim());
  const found = rows.filter((row) =>
    folded(`${row.action} ${row.descriptionEs} ${row.descriptionEn}`).includes(wanted),
  );
  const isFolded = ({ action }: PermissionRow) => wanted === "" && hidden.has(action);
  return GROUPS.map((group) => {
    const all = found.filter((row) => row.group === group);
    return { group, rows: all.filter((row) => !isFolded(row)), folded: all.filter(isFolded) };
  }).filter(({ rows: shown, folded: others }) => shown.length + others.length > 0);
}

/** Add the whole group to the chosen permissions; if all of it is chosen, remove it. */
export function toggleGroup(
  chosen: readonly Permission[],
  group: readonly Permission[],
): Permission[] {
  const all = group.every((action) => chosen.includes(action));
  const others = chosen.filter((action) => !group.includes(action));
  return all ? others : [...others, ...group];
}

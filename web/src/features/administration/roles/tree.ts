/** Permissions by group, in the words of a language, as the tree of a role and the table draw them. */
import type { Permission, PermissionRow } from "@/contract";
import { folded } from "@/shared/format/folded";
import type { Language } from "@/shared/session/language";

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
}

export function describe(row: PermissionRow, language: Language): string {
  return language === "en" ? row.descriptionEn : row.descriptionEs;
}

/** The groups that hold something, in their order; `search` looks into names and both descriptions. */
export function branches(rows: readonly PermissionRow[], search: string = ""): Branch[] {
  const wanted = folded(search.trim());
  const found = rows.filter((row) =>
    folded(`${row.action} ${row.descriptionEs} ${row.descriptionEn}`).includes(wanted),
  );
  return GROUPS.map((group) => ({
    group,
    rows: found.filter((row) => row.group === group),
  })).filter((branch) => branch.rows.length > 0);
}

/** What a click on a group makes of the chosen: all of what may be given, or, where that is there, none of it. */
export function toggleGroup(
  chosen: readonly Permission[],
  group: readonly Permission[],
): Permission[] {
  const all = group.every((action) => chosen.includes(action));
  const others = chosen.filter((action) => !group.includes(action));
  return all ? others : [...others, ...group];
}

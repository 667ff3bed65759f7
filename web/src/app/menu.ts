/** The menu a person sees, from the route table: links held, groups with at least one of them. */
import type { Permission } from "@/contract";
import { holds } from "./guard";
import type { AppRoute, MenuGroup } from "./routes";

const GROUPS: readonly MenuGroup[] = [
  "main",
  "administration",
  "catalogs",
  "operations",
  "reports",
];

export interface MenuSection {
  group: MenuGroup;
  entries: AppRoute[];
}

export function menuOf(
  routes: readonly AppRoute[],
  permissions: readonly Permission[],
): MenuSection[] {
  return GROUPS.map((group) => ({
    group,
    entries: routes.filter(({ access, menu }) => menu === group && holds(permissions, access)),
  })).filter(({ entries }) => entries.length > 0);
}

/** Name what a set of permissions allows, and find the permissions that it needs and lacks. */
import { CATALOGS, type Permission, type PermissionRow } from "@/contract";
import { keysOf } from "@/shared/keysOf";

/** Piece prices have one permission for all writes. */
const OF_CATALOGS = new RegExp(
  `^(${Object.values(CATALOGS)
    .flatMap(({ Create, Update, Delete }) => (Create === Delete ? [] : [Create, Update, Delete]))
    .join("|")})$`,
);
const OF_THE_SESSION: readonly Permission[] = ["NoAutoLogoutInactivity", "ChangePassword"];

/** What people do by several permissions, in the order of the sentence. Any other permission is said by its own words. */
const ABILITIES = {
  station: /^Station$/,
  move: /^SalesOrderPositionProcess(In|Out)$/,
  metal: /^ManageMetal$|^CloseMetalDay$/,
  status: /^UpdateSalesOrderPositionStatus$/,
  order: /^(Create|Update|Delete)SalesOrder$|^UpdateSalesOrderPosition$/,
  bill: /^(Create|Update|Cancel)Delivery$/,
  pay: /^(Create|Cancel)Pay$/,
  catalogs: OF_CATALOGS,
  users: /^(Create|Update|Delete)User$/,
  roles: /^(Create|Update|Delete)Role$/,
  devices: /^Manage(Displays|Integrations)$/,
  reports: /^Dashboard$|^Report/,
  look: /^List|^ShopFloor$|^SalesOrderPositionRecord$|^View(Audit|Metal)$/,
} as const satisfies Record<string, RegExp>;
export type Ability = keyof typeof ABILITIES;

/** Return what the permissions allow that has words for several of them. */
export function abilitiesOf(permissions: readonly Permission[]): Ability[] {
  return keysOf(ABILITIES).filter((name) => permissions.some((one) => ABILITIES[name].test(one)));
}

/** Return the permissions that are said by their own words. Those of the session are left out. */
export function othersOf(permissions: readonly Permission[]): Permission[] {
  return permissions.filter(
    (one) => !OF_THE_SESSION.includes(one) && abilitiesOf([one]).length === 0,
  );
}

/** Return the missing permissions that the given ones need to be of use. */
export function missingOf(
  permissions: readonly Permission[],
  rows: readonly PermissionRow[],
): PermissionRow[] {
  const needed = rows
    .filter(({ action }) => permissions.includes(action))
    .flatMap(({ needs }) => needs);
  return rows.filter(({ action }) => needed.includes(action) && !permissions.includes(action));
}

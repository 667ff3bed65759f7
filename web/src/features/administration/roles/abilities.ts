/** Name what a set of permissions allows, and find the permissions that it needs and lacks. */
import type { Permission, PermissionRow } from "@/contract";
import { keysOf } from "@/shared/keysOf";

/** What people do, in the order of the sentence, with the permissions of each. */
const ABILITIES = {
  station: /^Station$/,
  move: /^SalesOrderPositionProcess(In|Out)$/,
  scrap: /^ScrapPieces$/,
  batches: /^ManageBatches$/,
  metal: /^ManageMetal$|^CloseMetalDay$/,
  release: /^ReleaseProductionProccess$/,
  status: /^UpdateSalesOrderPositionStatus$/,
  order: /^(Create|Update|Delete)SalesOrder$|^UpdateSalesOrderPosition$/,
  print: /^PrintWorkSheet$/,
  bill: /^(Create|Update|Cancel)Delivery$/,
  pay: /^(Create|Cancel)Pay$/,
  piecePrices: /^UpdatePiecePrices$/,
  catalogs:
    /^(Create|Update|Delete)(Company|Customer|Component|Material|ExportTax|ProductionProcess|Item|Alloy)$/,
  users: /^(Create|Update|Delete)User$/,
  roles: /^(Create|Update|Delete)Role$/,
  customerLinks: /^ManageCustomerLinks$/,
  devices: /^Manage(Displays|Integrations)$/,
  personalData: /^ManagePersonalData$/,
  reports: /^Dashboard$|^Report/,
  look: /^List|^ShopFloor$|^SalesOrderPositionRecord$|^View(Audit|Metal)$/,
} as const satisfies Record<string, RegExp>;
export type Ability = keyof typeof ABILITIES;

/**
 * Return what the permissions allow. Permissions that match no ability, such as those about the
 * session, are left out.
 */
export function abilitiesOf(permissions: readonly Permission[]): Ability[] {
  return keysOf(ABILITIES).filter((name) => permissions.some((one) => ABILITIES[name].test(one)));
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

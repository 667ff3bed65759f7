/** Say in a few words what a set of permissions allows, and which others it needs to be of use. */
import type { Permission, PermissionRow } from "@/contract";

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

/** What the permissions allow. Those of the session allow nothing. */
export function abilitiesOf(permissions: readonly Permission[]): Ability[] {
  const names = Object.keys(ABILITIES) as Ability[];
  return names.filter((name) => permissions.some((one) => ABILITIES[name].test(one)));
}

/** The permissions that others need to be of use, and that are not among them. */
export function missingOf(
  permissions: readonly Permission[],
  rows: readonly PermissionRow[],
): PermissionRow[] {
  const needed = rows
    .filter(({ action }) => permissions.includes(action))
    .flatMap(({ needs }) => needs);
  return rows.filter(({ action }) => needed.includes(action) && !permissions.includes(action));
}

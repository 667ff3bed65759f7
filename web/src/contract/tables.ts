/** Tables of the server that the client needs too. `make contract` writes tables.json from the server's code. */
import type { components } from "../../.contract/openapi";
import type { Tables } from "../../.contract/tables";
import tables from "./tables.json" with { type: "json" };

export type Permission = components["schemas"]["Permission"];

/** Who holds one of these is of the office. */
export const OF_THE_OFFICE: readonly Permission[] = tables.ofTheOffice as Tables["ofTheOffice"];
/** What a service account may be given. */
export const OF_SERVICES: readonly Permission[] = tables.ofServices as Tables["ofServices"];
/** The events that a webhook may be sent, with their names, and the permissions of which its account needs one. */
export const WEBHOOK_EVENTS = tables.webhookEvents as Tables["webhookEvents"];
/** The permissions of each catalog (null: any of the staff), and the field that says whether an entry can be chosen. */
export const CATALOGS = tables.catalogs as Tables["catalogs"];
/** The fields of a line that people type: its days, its texts with their most characters, and those of its work sheet. */
export const LINE_FIELDS = tables.lineFields as Tables["lineFields"];
/** What a customer's order file calls its columns. */
export const ORDER_HEADS: Readonly<Record<keyof Tables["orderHeads"], readonly string[]>> =
  tables.orderHeads;
/** The decimals of each currency that has not two (ISO 4217). */
export const MINOR_UNITS: Readonly<Record<string, number>> = tables.minorUnits;

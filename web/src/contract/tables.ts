/** Tables of the server that the client needs too. `make contract` writes tables.json from the server's code. */
import type { components } from "../../.contract/openapi";
import type { Tables } from "../../.contract/tables";
import {
  catalogs,
  eventReaders,
  minorUnits,
  ofServices,
  ofTheOffice,
  orderHeads,
} from "./tables.json";

export type Permission = components["schemas"]["Permission"];

/** Who holds one of these is of the office. */
export const OF_THE_OFFICE: readonly Permission[] = ofTheOffice as Tables["ofTheOffice"];
/** What a service account may be given. */
export const OF_SERVICES: readonly Permission[] = ofServices as Tables["ofServices"];
/** The events that a webhook may be sent, and the permissions of which its account needs one. */
export const EVENT_READERS = eventReaders as Tables["eventReaders"];
/** The permissions of each catalog (null: any of the staff), and the field that says whether an entry can be chosen. */
export const CATALOGS = catalogs as Tables["catalogs"];
/** What a customer's order file calls its columns. */
export const ORDER_HEADS: Readonly<Record<keyof Tables["orderHeads"], readonly string[]>> =
  orderHeads;
/** The decimals of each currency that has not two (ISO 4217). */
export const MINOR_UNITS: Readonly<Record<string, number>> = minorUnits;

/**
 * Hooks and calls for the metal: accounts, ledger, lots, closed days, refining and melting. See
 * infra/docs/rules.md#metal.
 */
import type { Schemas } from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { useAnswer, useAnswers, useList, type Shown } from "@/shared/http/data";
import { fetchFile, type ServedFile } from "@/shared/http/download";
import { METAL, METAL_ACCOUNTS as ACCOUNTS, under } from "@/shared/http/keys";

type Headers = { "Idempotency-Key": string };

export type Account = Schemas["MetalAccountDocument"];
export type AccountReference = Schemas["MetalAccountReference"];
export type AccountKind = AccountReference["kind"];
export type Total = Schemas["MetalTotalOut"];
export type Entry = Schemas["MetalEntryOut"];
export type Lot = Schemas["MetalLotOut"];
export type ExpectedDay = Schemas["MetalDayExpectedOut"];
export type ClosedDay = Schemas["MetalDayOut"];
export type OpenDay = Schemas["MetalOpenDayOut"];
export type VaultCount = Schemas["MetalCountOut"];
export type InVault = Schemas["MetalCountExpectedOut"];
export type VaultCountIn = Schemas["MetalVaultCountIn"];
export type Refining = Schemas["MetalRefiningOut"];
export type ReceiptIn = Schemas["MetalReceiptIn"];
export type TransferIn = Schemas["MetalTransferIn"];
export type DayIn = Schemas["MetalDayIn"];
export type RefiningIn = Schemas["MetalRefiningIn"];
export type ReturnIn = Schemas["MetalReturnIn"];
export type MeltingIn = Schemas["MetalMeltingIn"];

export const ENTRIES = `${METAL}/entries` as const;
export const LOTS = `${METAL}/lots` as const;
const DAYS = `${METAL}/days` as const;
export const COUNTS = `${METAL}/counts` as const;
export const REFININGS = `${METAL}/refinings` as const;

export const ACCOUNT_FILTERS = ["kind", "userId", "productionProcessId"] as const;
export type AccountFilter = (typeof ACCOUNT_FILTERS)[number];

export function useAccounts(query: TableQuery<AccountFilter>) {
  return useList(ACCOUNTS, { query: query.server }, query);
}

const WHOLE = { show: 200, more: () => undefined };

/** The accounts of a kind that hold something, without paging. Nothing while `kind` is null. */
export function useAccountsOf(kind: AccountKind | null): Account[] {
  return useList(ACCOUNTS, kind && { query: { kind } }, WHOLE, { quiet: true }).rows ?? [];
}

/** The first accounts, to choose one. Empty accounts are included. */
export function useAccountsFound(): Account[] {
  return useList(ACCOUNTS, { query: { empty: true } }, WHOLE, { quiet: true }).rows ?? [];
}

/** One account and what it holds now; nothing while `named` is undefined. */
export function useAccount(named: AccountReference | undefined): Account | undefined {
  const query = named && {
    kind: named.kind,
    empty: true,
    ...(named.userId === null ? {} : { userId: named.userId }),
    ...(named.productionProcessId === null
      ? {}
      : { productionProcessId: named.productionProcessId }),
    ...(named.name === "" ? {} : { search: named.name }),
  };
  const { rows } = useList(ACCOUNTS, query ? { query } : null, WHOLE, { quiet: true });
  return rows?.find(({ id }) => id === named?.id);
}

/** What all accounts of each kind hold. */
export function useTotals() {
  return useAnswer(`${METAL}/summary`);
}

export const ENTRY_FILTERS = ["accountId", "alloyId", "personId", "kind", "from", "to"] as const;
export type EntryFilter = (typeof ENTRY_FILTERS)[number];

/** The lots of an alloy that are not used up, newest first. None while `alloyId` is null. */
export function useLotsOf(alloyId: number | null): Lot[] {
  const { rows = [] } = useList(LOTS, alloyId === null ? null : {}, WHOLE, { quiet: true });
  return rows.filter((lot) => lot.alloyId === alloyId && lot.leftGrams > 0);
}

/** Buy metal: a new lot in the vault. */
export function receive(headers: Headers, body: ReceiptIn): Promise<Lot> {
  return call(api.POST(`${METAL}/lots`, { body, headers }));
}

/** Move metal between two accounts. Throws ApiError: 409 `not_enough_metal`. */
export function transfer(headers: Headers, body: TransferIn): Promise<Entry> {
  return call(api.POST(`${METAL}/entries`, { body, headers }));
}

/** Melt alloys into one. Throws ApiError: 422 if the fine metal differs and no reason is given. */
export function melt(headers: Headers, body: MeltingIn) {
  return call(api.POST(`${METAL}/meltings`, { body, headers }));
}

/** A day of a person at a process. */
export interface Whose {
  productionProcessId: number;
  userId: number;
  day: string;
}

/** Load what the person must have at the end of the day. */
export function useExpected(whose: Whose) {
  return useAnswer(`${DAYS}/expected`, { query: whose });
}

/** The closings on one day, newest first. A person or a process limits the list. */
export function useClosedDays(
  whose: { day: string; userId: number | null; productionProcessId: number | null },
  shown: Shown,
) {
  const { day, userId, productionProcessId } = whose;
  const query = {
    from: day,
    to: day,
    ...(userId === null ? {} : { userId }),
    ...(productionProcessId === null ? {} : { productionProcessId }),
  };
  return useList(DAYS, { query }, shown);
}

/** The people who hold metal that has moved since their last closing. Null `productionProcessId`: at any process. */
export function useOpenDays(productionProcessId: number | null, shown: Shown) {
  const query = productionProcessId === null ? {} : { productionProcessId };
  return useList(`${DAYS}/open`, { query }, shown);
}

/** Close a day. Throws ApiError: 409 `expected_far` for a count that must be confirmed; 422 `unknown_operator` for a wrong PIN or badge. */
export function closeDay(headers: Headers, body: DayIn): Promise<ClosedDay> {
  return call(api.POST(DAYS, { body, headers }));
}

/** Take a closing back. Throws ApiError: 409 `moved_since`, `already_reopened`. */
export function reopenDay(headers: Headers, id: number): Promise<ClosedDay> {
  const params = { path: { day_id: id } };
  return call(api.POST(`${DAYS}/{day_id}/reopen`, { params, headers }));
}

/** A count far from the books, as the server asks about it. Weights in grams; `difference` = expected − weighed. */
export interface FarCount {
  alloyId: number;
  alloy: string;
  expected: number;
  counted: number;
  dust: number;
  difference: number;
  allowed: number;
}

/** The counts that the server asks about before it closes a day. Null for any other error. */
export function farCounts({ code, params }: ApiError): FarCount[] | null {
  return code === "expected_far" ? (params["counts"] as FarCount[]) : null;
}

/** Find the person with a badge, as a station does. Throws ApiError: 422 `unknown_operator`. */
export async function personOf(badge: string, productionProcessId: number) {
  const body = { badge, productionProcessId };
  return (await call(api.POST("/api/station/operator", { body, headers: QUIET }))).user;
}

/** Load the slip of a closed day as PDF. Throws ApiError. */
export function fetchSlip(id: number): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-metal-slip", { body: { id }, headers: QUIET, parseAs: "blob" }),
    `metal-${id}.pdf`,
  );
}

/** The counts of the vault, newest first. */
/** What should be in the vault, by alloy and lot. */
export function useInVault() {
  return useAnswer(`${COUNTS}/expected`);
}

/** Store a count of the vault. Throws ApiError: 409 `expected_changed`. */
export function countVault(headers: Headers, body: VaultCountIn): Promise<VaultCount> {
  return call(api.POST(COUNTS, { body, headers }));
}

/** Load the slip of a count as PDF. Throws ApiError. */
export function fetchCountSlip(id: number): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-metal-count", { body: { id }, headers: QUIET, parseAs: "blob" }),
    `metal-count-${id}.pdf`,
  );
}

export function sendToRefine(headers: Headers, body: RefiningIn): Promise<Refining> {
  return call(api.POST(REFININGS, { body, headers }));
}

export function returnRefined(headers: Headers, id: number, body: ReturnIn): Promise<Refining> {
  const params = { path: { refining_id: id } };
  return call(api.POST(`${REFININGS}/{refining_id}/return`, { params, body, headers }));
}

/**
 * Return a function that reloads everything about metal. Needed because the event reaches only
 * users who may see all metal.
 */
export function useReloadMetal(): () => void {
  const { reload } = useAnswers();
  return () => void reload(under(METAL));
}

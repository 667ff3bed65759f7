/** What events of metal and of batches change on screen. */
import { beforeEach, describe, expect, it } from "vitest";
import type { BatchCard, LiveEventOf } from "@/contract";
import {
  BATCH,
  BATCH_CARDS,
  BATCHES,
  BOARD,
  keyOf,
  listKeyOf,
  METAL,
  METAL_ACCOUNTS,
  METAL_MINE,
  TODAY,
  type Key,
} from "@/shared/http/keys";
import { forgetDocuments } from "@/shared/http/store";
import { storeSession } from "@/shared/session/session";
import { aBatchCard } from "@/testing/batches";
import { aSession } from "@/testing/builders";
import { aMovement } from "@/testing/lines";
import { applicationOf } from "./apply";
import { afterEvent } from "./testing";

const HEAD = { id: 1, at: "", by: null };

beforeEach(() => {
  storeSession(aSession());
  forgetDocuments();
});

describe("metal", () => {
  type Accounts = LiveEventOf<"metal.changed">["data"]["accounts"];
  const vault: NonNullable<Accounts>[number] = {
    id: 1,
    kind: "vault",
    name: "",
    userId: null,
    userName: null,
    productionProcessId: null,
    productionProcessName: null,
    salesOrderId: null,
    position: null,
    batchId: null,
    balances: [{ alloyId: 3, alloyName: "Plata ley 925", grams: 100, fineGrams: 92.5 }],
  };
  const scrap = { ...vault, id: 2, kind: "scrap" };
  const list = (...rows: object[]) => ({ rows, total: rows.length, exact: true, next: null });
  const ACCOUNTS = listKeyOf(METAL_ACCOUNTS, { query: { kind: "vault" } });
  const changed = (accounts: Accounts) =>
    ({ ...HEAD, type: "metal.changed", data: { id: 0, accounts } }) as const;

  it("replaces the balances on screen, and loads sums, ledger and reports again", () => {
    const emptied = { ...vault, balances: [] };
    expect(afterEvent(changed([emptied]), ACCOUNTS, list(vault, scrap))).toEqual(
      list(emptied, scrap),
    );
    const { stale: loaded = [] } = applicationOf(changed([emptied]));
    for (const key of [
      ACCOUNTS,
      keyOf(`${METAL}/summary`),
      listKeyOf(`${METAL}/entries`),
      keyOf(METAL_MINE),
      keyOf(TODAY),
    ]) {
      expect(loaded.some((covers) => covers(key))).toBe(true);
    }
    expect(loaded.some((covers) => covers(keyOf(BOARD)))).toBe(false);
  });

  it("keeps a list that shows none of the changed accounts, and one of too many to carry", () => {
    const kept = list(scrap);
    expect(afterEvent(changed([vault]), ACCOUNTS, kept)).toBe(kept);
    expect(afterEvent(changed(null), ACCOUNTS, kept)).toBe(kept);
  });

  it("loads the user's own metal after a movement of theirs alone", () => {
    const loads = (id: number) =>
      applicationOf({ ...aMovement(), by: { id, fullName: "" } }).stale?.some((covers) =>
        covers(keyOf(METAL_MINE)),
      );
    expect([loads(7), loads(8)]).toEqual([true, false]);
  });
});

describe("an event of a batch", () => {
  const event = (card: BatchCard | null) =>
    ({ type: "batch.changed", data: { card } }) as LiveEventOf<"batch.changed">;
  const key = keyOf(BATCH_CARDS);

  it("adds its card, and replaces the one that is known", () => {
    const card = aBatchCard({ state: "open" });
    expect(afterEvent(event(card), key, [] as BatchCard[])).toEqual([card]);
    const moved = aBatchCard({ version: 2 });
    expect(afterEvent(event(moved), key, [card])).toEqual([moved]);
  });

  it("makes the page and the list of batches stale", () => {
    const { stale = [] } = applicationOf(event(aBatchCard()));
    const isStale = (one: Key) => stale.some((covers) => covers(one));
    expect(isStale(keyOf(BATCH, { path: { batch_id: 12 } }))).toBe(true);
    expect(isStale(keyOf(BATCH, { path: { batch_id: 13 } }))).toBe(false);
    expect(isStale(listKeyOf(BATCHES))).toBe(true);
  });

  it("without a card changes nothing: it is at a process that this display does not show", () => {
    expect(applicationOf(event(null))).toEqual({});
  });
});

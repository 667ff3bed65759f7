import { expect, it } from "vitest";
import type { LineRow, Today } from "@/contract";
import { keyOf, TODAY } from "@/shared/http/keys";
import { aLine, aMovement, someInside } from "@/testing/lines";
import { applicationsOf } from "./apply";
import { patchToday, type TodayPart } from "./today";

const NOW = Date.parse("2026-03-11T18:00:00Z");
const part = (count: number, ...lines: LineRow[]) => ({ count, lines });
const aDay = (parts: Partial<Today>): Today => ({
  today: "2026-03-11",
  weekEnds: "2026-03-15",
  late: part(0),
  dueThisWeek: part(0),
  insideOverADay: part(0),
  toApprove: null,
  toBill: null,
  ...parts,
});
const document = aLine({ version: 4, status: "InProcess", late: true, deliveryDate: "2026-03-01" });
const changed = (change: Partial<LineRow>) => ({ ...document, version: 5, ...change });

it.each([
  ["late", { late: true }, { late: false, deliveryDate: "2026-04-01" }],
  ["dueThisWeek", { late: false, deliveryDate: "2026-03-15" }, { deliveryDate: "2026-03-16" }],
  ["dueThisWeek", { deliveryDate: "2026-03-11" }, { deliveryDate: "2026-03-11", status: "Done" }],
  [
    "insideOverADay",
    { inside: [someInside({ since: "2026-03-10T17:59:00Z" })] },
    { inside: [someInside({ since: "2026-03-10T18:00:00Z" })] },
  ],
  ["toApprove", { status: "New" }, { status: "Approved" }],
  ["toBill", { status: "Done", quantityBilled: 2 }, { status: "Invoiced" }],
] as [TodayPart, Partial<LineRow>, Partial<LineRow>][])(
  "%s keeps a line that is still to be seen to, and lets it go when it is not",
  (name, still, over) => {
    const kept = aDay({ [name]: part(9, document) });
    const stays = patchToday(kept, [changed(still)], NOW)[name];
    expect(stays?.count).toBe(9);
    expect(stays?.lines.map(({ version }) => version)).toEqual([5]);
    expect(patchToday(kept, [changed(over)], NOW)[name]).toEqual(part(8));
  },
);

it("is the same where a line is not shown, or is known to be newer", () => {
  const kept = aDay({ late: part(9, document) });
  expect(patchToday(kept, [aLine({ id: 77, position: 9, version: 8 })], NOW)).toBe(kept);
  expect(patchToday(kept, [{ ...document, version: 3 }], NOW)).toBe(kept);
});

it("is loaded again at the slowest pace while lines merely move", () => {
  const paces = applicationsOf(aMovement({}))
    .filter(({ covers }) => covers(keyOf(TODAY)))
    .flatMap(({ reload }) => reload ?? []);
  expect(paces).toEqual(["slow"]);
});

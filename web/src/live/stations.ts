/** Update cached lists and stations after an event of a line. */
import type { LineDocument, LineEvent, Station } from "@/contract";
import { mayEnter } from "./mask";

export type Named = { id: number };

/** Return `both` if one of `added` is not in the list yet, else `kept`. */
export function withNew<T extends Named>(kept: T[], added: readonly Named[], both: T[]): T[] {
  return added.every(({ id }) => kept.some((one) => one.id === id)) ? kept : both;
}

/** Add a line to a station if it is inside its process, waits for it or may enter it. The queue is sorted by due date. */
export function stationWith(
  kept: Station,
  line: Pick<LineDocument, "id" | "offers" | "inside" | "waiting" | "deliveryDate">,
): Station {
  const { productionProcessId: id, active } = kept.process;
  const here = (rows: readonly { productionProcessId: number }[]) =>
    rows.some(({ productionProcessId }) => productionProcessId === id);
  const row = line as Station["queue"][number];
  const due = (one: Pick<LineDocument, "deliveryDate">) => one.deliveryDate ?? "9999";
  const before = kept.queue.findIndex((one) => due(one) > due(line));
  const place = before < 0 ? kept.queue.length : before;
  const known = [...kept.queue, ...kept.later].some(({ id: one }) => one === line.id);
  const comes = !known && active && mayEnter(line.offers, id) > 0;
  const queue = comes && here(line.waiting) ? kept.queue.toSpliced(place, 0, row) : kept.queue;
  const later = comes && !here(line.waiting) ? [...kept.later, row] : kept.later;
  const inside = here(line.inside)
    ? withNew(kept.inside, [line], [...kept.inside, row])
    : kept.inside;
  const isSame = !comes && inside === kept.inside;
  return isSame ? kept : { ...kept, queue, later, inside };
}

/** Add the pieces that an event moved here to the recent movements. No change if the user may not read the records. */
export function withRecent(station: Station, { type, by, data }: LineEvent): Station {
  const { record, records, line } = data;
  const { productionProcessId: id } = station.process;
  if (type !== "line.moved" || record === null || record.productionProcessId !== id) return station;
  const kind = record.outputDate === null ? "in" : "out";
  const instantOf = (one: typeof record) => (kind === "in" ? one.inputDate : one.outputDate);
  const instant = instantOf(record);
  if (instant === null) return station;
  const moved = [record, ...records.filter((one) => one.id !== record.id)]
    .filter((one) => one.productionProcessId === id && instantOf(one) === instant)
    .map((one) => ({
      at: instant,
      type: one.scrapReason !== null && kind === "out" ? ("scrap" as const) : kind,
      by: by?.fullName ?? "",
      byId: by?.id ?? null,
      recordId: one.id,
      salesOrderId: line.salesOrderId,
      position: line.position,
      customerSalesOrderId: line.customerSalesOrderId,
      itemName: line.itemName,
      itemNameEnglish: line.itemNameEnglish,
      pieces: one.quantity,
    }));
  const isOther = (one: Station["recent"][number]) =>
    !moved.some(({ recordId, type: also }) => recordId === one.recordId && also === one.type);
  return { ...station, recent: [...moved, ...station.recent.filter(isOther)] } as Station;
}

/** Applies a line's document to a station: what is inside its process, what may enter, what moved last. */
import type { LineDocument, LineEvent, LineRow, Station } from "@/contract";
import { cardOf, isSameLine, patchRow, rowOf } from "./documents";

type Document = Pick<LineDocument, "salesOrderId" | "position" | "version" | "offers" | "inside">;

/** The newest version that was drawn of each line: the cards of a station name none. */
const drawn = new Map<string, number>();

type Numbered = Pick<LineDocument, "salesOrderId" | "position" | "version">;

const nameOf = ({ salesOrderId, position }: Numbered) => `${salesOrderId}/${position}`;

/** Whether a newer document of the line has been drawn. */
export const isOutdated = (line: Numbered) => line.version < (drawn.get(nameOf(line)) ?? 0);

/** Whether the station shows the line, or would now. */
export function concernsStation(station: Station, line: Document): boolean {
  const { productionProcessId: id } = station.process;
  const here = (rows: readonly { productionProcessId: number }[]) =>
    rows.some(({ productionProcessId }) => productionProcessId === id);
  return (
    here(line.offers.in) ||
    here(line.inside) ||
    station.queue.some((row) => isSameLine(row, line)) ||
    station.inside.some((card) => isSameLine(card, line))
  );
}

export function patchStation(station: Station, line: LineDocument): Station {
  if (isOutdated(line)) return station;
  drawn.set(nameOf(line), line.version);
  const { productionProcessId: id } = station.process;
  const known = station.queue.find((row) => isSameLine(row, line));
  const cards = station.inside.filter((card) => isSameLine(card, line));
  const image = cards[0]?.image ?? known?.thumbnail ?? null;
  const inside = [
    ...station.inside.filter((card) => !cards.includes(card)),
    ...line.inside
      .filter(({ productionProcessId }) => productionProcessId === id)
      // Who may read no names elsewhere is told them by the station's own answer alone.
      .map((pieces) => cardOf({ ...pieces, by: pieces.by || nameIn(cards, pieces) }, line, image)),
  ].toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since));
  return { ...station, inside, queue: queueWith(station, line, known, image) };
}

function nameIn(
  cards: Station["inside"],
  { since, quantity }: { since: string; quantity: number },
) {
  const found = cards.find((card) => card.since === since && card.quantity === quantity);
  return found?.by ?? "";
}

function queueWith(
  { queue, process }: Station,
  line: LineDocument,
  known: LineRow | undefined,
  image: string | null,
): LineRow[] {
  const enters = line.offers.in.some(
    ({ productionProcessId }) => productionProcessId === process.productionProcessId,
  );
  if (!enters || !process.active) return queue.filter((row) => row !== known);
  if (known !== undefined) return queue.map((row) => (row === known ? patchRow(row, line) : row));
  const due = (row: Pick<LineRow, "deliveryDate">) => row.deliveryDate ?? "9999";
  const before = queue.findIndex((row) => due(row) > due(line));
  return queue.toSpliced(before < 0 ? queue.length : before, 0, rowOf(line, image));
}

/** What an event says about the pieces that it moved here; nothing where the person may not read the records. */
export function patchRecent(station: Station, { type, by, data }: LineEvent): Station {
  const { record, records, line } = data;
  const { productionProcessId: id } = station.process;
  if (type !== "line.moved" || record === null || record.productionProcessId !== id) return station;
  const kind = record.outputDate === null ? "in" : "out";
  const instantOf = (one: typeof record) => (kind === "in" ? one.inputDate : one.outputDate);
  const at = instantOf(record);
  if (at === null) return station;
  const moved = [record, ...records.filter((one) => one.id !== record.id)]
    .filter((one) => one.productionProcessId === id && instantOf(one) === at)
    .map((one) => ({
      at,
      type: kind,
      by: by?.fullName ?? "",
      byId: by?.id ?? null,
      recordId: one.id,
      salesOrderId: line.salesOrderId,
      position: line.position,
      customerSalesOrderId: line.customerSalesOrderId,
      itemName: line.itemName,
      pieces: one.quantity,
    }));
  const isNew = (one: Station["recent"][number]) =>
    !moved.some(({ recordId, type: also }) => recordId === one.recordId && also === one.type);
  return { ...station, recent: [...moved, ...station.recent.filter(isNew)] } as Station;
}

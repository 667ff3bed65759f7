/**
 * Compute what may be moved at a station: the server's last answer, plus the movements that wait to
 * be sent.
 */
import type { BatchCard, LineDocument, Station, StationScan } from "@/contract";
import { mayEnter } from "@/live/mask";
import { heldOf } from "@/shared/http/store";
import { heldProcesses } from "@/entities/processes";
import type { Movement, Said, StationLine } from "./queue/storage";
import type { Weighs, Work } from "./types";

type Place = Pick<StationLine, "salesOrderId" | "position">;

export const nameOf = ({ salesOrderId, position }: Place) => `${salesOrderId}-${position}`;

/** Convert a row, a card or a whole line to the fields that a station shows. */
export function lineOf(found: Omit<StationLine, "image">, image: string | null): StationLine {
  const { salesOrderId, position, customerSalesOrderId, customerName, itemName } = found;
  const { quantity, deliveryDate, late } = found;
  const what = { salesOrderId, position, customerSalesOrderId, customerName, itemName };
  return { ...what, image, quantity, deliveryDate, late };
}

const unmoved = (line: StationLine): Work => ({
  ...line,
  notes: "",
  maxIn: 0,
  ready: 0,
  maxOut: 0,
  since: null,
  by: null,
  weighs: "no",
  call: null,
  waits: false,
});

/** Return whether a line's pieces are weighed at a process. */
export function weighsAt({ weighed }: Pick<LineDocument, "weighed">, processId: number): Weighs {
  const process = heldProcesses().find(({ id }) => id === processId);
  return weighed ? (process?.weighs ?? "no") : "no";
}

const openCall = ({ call }: Pick<LineDocument, "call">): Work["call"] =>
  call ? { ...call, pending: false } : null;

/** How many pieces of a line wait for a process. */
const waitingFor = ({ waiting }: Pick<LineDocument, "waiting">, processId: number): number =>
  waiting.find(({ productionProcessId }) => productionProcessId === processId)?.quantity ?? 0;

/**
 * Return the work for a line that the station's lists lack, because it cannot be moved here or the
 * queue is too long. An outdated scan allows no movement.
 */
export function workOfScan(
  { line, maxIn, maxOut }: StationScan,
  image: string | null,
  processId: number,
): Work {
  const weighs = weighsAt(line, processId);
  const work = { ...unmoved(lineOf(line, image)), notes: line.notes, weighs, call: openCall(line) };
  const isOutdated = (heldOf(line)?.version ?? 0) > line.version;
  return isOutdated ? work : { ...work, maxIn, maxOut, ready: waitingFor(line, processId) };
}

/**
 * Return every line of the station, in the order of its lists, with the waiting movements applied.
 */
export function workAt(station: Station, movements: readonly Movement[]): Map<string, Work> {
  const { productionProcessId: id } = station.process;
  const found = new Map<string, Work>();
  const workOf = (line: StationLine): Work => {
    const work = found.get(nameOf(line)) ?? unmoved(line);
    found.set(nameOf(line), work);
    return work;
  };
  const inside = station.inside.flatMap((line) =>
    line.inside
      .filter(({ productionProcessId }) => productionProcessId === id)
      .map((pieces) => ({ line, ...pieces })),
  );
  // The oldest entry of a line comes first here, and last in the map.
  const names = new Map(station.names.toReversed().map((named) => [nameOf(named), named.by]));
  for (const { line, quantity, since, by } of inside.toSorted(
    (one, other) => Date.parse(one.since) - Date.parse(other.since),
  )) {
    const work = workOf(lineOf(line, line.thumbnail));
    work.notes = line.notes;
    work.weighs = weighsAt(line, id);
    work.call = openCall(line);
    work.maxOut += quantity;
    work.since ??= since;
    work.by ??= by || (names.get(nameOf(line)) ?? "");
  }
  for (const row of [...station.queue, ...station.later]) {
    const work = workOf(lineOf(row, row.thumbnail));
    work.notes = row.notes;
    work.weighs = weighsAt(row, id);
    work.call = openCall(row);
    work.maxIn += mayEnter(row.offers, id);
    work.ready = waitingFor(row, id);
  }
  for (const movement of movements) {
    if (movement.refused !== null) continue;
    // Do not apply the movement of a waiting undo, because it may not have happened. Show the line
    // as the server knows it.
    const known = found.get(nameOf(movement.line));
    if (movement.said !== undefined) {
      if (known !== undefined) known.call = callWith(known.call, movement, movement.said);
      continue;
    }
    if (movement.undo === null) apply(movement, id, workOf);
    else if (known !== undefined) known.waits = true;
  }
  return found;
}

/**
 * Return the strictest rule: a movement between processes needs a weight if one of them requires
 * it.
 */
export const weighsMost = (...all: readonly Weighs[]): Weighs =>
  (["required", "optional"] as const).find((each) => all.includes(each)) ?? "no";

/** Return the open call of a line as if the server had already accepted what was said. */
function callWith(call: Work["call"], { madeAt }: Movement, { kind, comesTo }: Said): Work["call"] {
  if (comesTo === null) return { id: 0, kind, at: madeAt, pending: true };
  return call?.id === comesTo ? null : call;
}

/** Apply a movement as if the server had already accepted it. */
function apply(movement: Movement, processId: number, workOf: (line: StationLine) => Work): void {
  const here = movement.productionProcessId === processId;
  const comesHere = movement.to?.productionProcessId === processId;
  if (!here && !comesHere) return;
  const work = workOf(movement.line);
  work.waits = true;
  if (comesHere || movement.type === "in") {
    // The server may have recorded the movement without an answer, so its pieces may count twice:
    // limit them to those of the line.
    work.maxOut = Math.min(work.quantity, work.maxOut + movement.quantity);
    if (!comesHere) {
      work.maxIn = Math.max(0, work.maxIn - movement.quantity);
      work.ready = Math.max(0, work.ready - movement.quantity);
    }
    work.since ??= movement.madeAt;
    work.by ??= movement.userName;
  } else {
    work.maxOut = Math.max(0, work.maxOut - movement.quantity);
  }
}

/**
 * Remove the pieces that are on batches from the rows, because the cards of the batches show them.
 * A scan still opens a line of a batch.
 */
export function withoutBatched(rows: readonly Work[], batches: readonly BatchCard[]): Work[] {
  return rows.map((work) => {
    const piecesOn = (state: string) =>
      batches
        .filter((batch) => batch.state === state)
        .flatMap(({ lines }) => lines.filter((line) => nameOf(line) === nameOf(work)))
        .reduce((sum, { quantity }) => sum + quantity, 0);
    const [waiting, inside] = [piecesOn("open"), piecesOn("inside")];
    if (waiting === 0 && inside === 0) return work;
    return {
      ...work,
      maxIn: Math.max(0, work.maxIn - waiting),
      ready: Math.max(0, work.ready - waiting),
      maxOut: Math.max(0, work.maxOut - inside),
    };
  });
}

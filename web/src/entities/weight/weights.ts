/** The weights of a movement: what is typed, what is sent, and what was lost. In grams. */
import type { ErrorBody, ProcessRecord } from "@/contract";
import type { Typed } from "@/shared/format/typedNumber";
import { weightProblem } from "./readings";

/** The weights that a movement sends. Weights that were not given are absent. */
export interface Weights {
  grams?: number;
  otherGrams?: number;
  scrapGrams?: number;
  addedGrams?: number;
  /** The alloy of the added metal, if it is not the product's. */
  addedAlloyId?: number;
  /** The tray that is within `grams`. */
  trayId?: number;
  weightReason?: string;
}

/** The rarely given weights of each kind of movement. They are folded, and may be 0. */
export const MORE = {
  in: ["otherGrams"],
  out: ["otherGrams", "scrapGrams", "addedGrams"],
  scrap: ["otherGrams"],
} as const;
type Kind = keyof typeof MORE;
type Name = "grams" | (typeof MORE)["out"][number];
const moreOf = (type: Kind): readonly Name[] => MORE[type];
const namesOf = (type: Kind): readonly Name[] => ["grams", ...moreOf(type)];

export type WeightDraft = Record<Name, Typed> & {
  weightReason: string;
  addedAlloyId: number | null;
  tray: Tray | null;
};

/** A tray of the workshop, with its weight. */
export interface Tray {
  id: number;
  code: string;
  grams: number;
}

export const NO_WEIGHTS: WeightDraft = {
  grams: null,
  otherGrams: null,
  scrapGrams: null,
  addedGrams: null,
  addedAlloyId: null,
  tray: null,
  weightReason: "",
};

/** `grams_refused`: a field of the weights was refused. */
const CODES = new Set(["grams_required", "grams_heavier", "grams_refused"]);
const FIELDS = new Set<string>([...namesOf("out"), "addedAlloyId", "trayId", "weightReason"]);

/** Whether a movement was refused because of its weight. */
export const isWeightRefusal = (code: string): boolean => CODES.has(code);

/** What the server says about the weight of a refused movement; null if something else was wrong. */
export function weightRefusal(error: ErrorBody): { code: string; message: string } | null {
  if (CODES.has(error.code)) return { code: error.code, message: error.message };
  const wrong = error.errors.find(({ field }) => FIELDS.has(field));
  return wrong === undefined ? null : { code: "grams_refused", message: wrong.message };
}

/** Whether the weight must be given: the process requires it, or other weights are given. */
export const needsGrams = (draft: WeightDraft, type: Kind, required: boolean): boolean =>
  required || moreOf(type).some((name) => draft[name] !== null);

/** Whether the weights cannot be sent as they are. */
export function areWrong(draft: WeightDraft, type: Kind, required: boolean): boolean {
  const needed = needsGrams(draft, type, required);
  if (weightProblem(draft.grams, needed) !== null) return true;
  return moreOf(type).some((name) => weightProblem(draft[name], false, true) !== null);
}

export function weightsOf(draft: WeightDraft, type: Kind): Weights {
  const weights: Weights = {};
  for (const name of namesOf(type)) {
    const grams = draft[name];
    if (typeof grams === "number") weights[name] = grams;
  }
  if (weights.addedGrams && draft.addedAlloyId !== null) weights.addedAlloyId = draft.addedAlloyId;
  if (weights.grams === undefined) return weights;
  if (draft.tray !== null) weights.trayId = draft.tray.id;
  const weightReason = draft.weightReason.trim();
  return weightReason === "" ? weights : { ...weights, weightReason };
}

/** The weights of a movement without its tray, as the server keeps them. */
export function netOf(draft: WeightDraft, type: Kind): Weights {
  const weights = weightsOf(draft, type);
  if (weights.grams === undefined || draft.tray === null) return weights;
  return { ...weights, grams: toMilligrams(weights.grams - draft.tray.grams) };
}

/** Convert weights that were sent back to a draft. `trays`: to find the tray that was sent. */
export function draftOf(weights: Weights = {}, trays: readonly Tray[] = []): WeightDraft {
  const { trayId, ...rest } = weights;
  const tray = trays.find(({ id }) => id === trayId) ?? null;
  // A weight with a tray that is unknown would be sent as the weight of the pieces alone.
  const grams = trayId !== undefined && tray === null ? null : (rest.grams ?? null);
  return { ...NO_WEIGHTS, ...rest, grams, tray };
}

/**
 * A loss of metal. `came`: the grams that entered or were added. `allowed`: the allowance of the
 * process in per mille; null if it has none.
 */
export interface Loss {
  grams: number;
  came: number;
  perMille: number;
  allowed: number | null;
}

/** Whether a loss is above the allowance, as the server judges: on milligrams, nothing is rounded. */
export function isOver({ grams, came, allowed }: Omit<Loss, "perMille">): boolean {
  if (allowed === null || came <= 0) return false;
  return Math.round(grams * 1_000) * 10_000 > Math.round(allowed * 10) * Math.round(came * 1_000);
}

/** Pieces that leave a process by one press. */
export interface Exit {
  processId: number;
  /** How many leave, with those that are scrapped by the same press. */
  pieces: number;
  /** The id of the user who takes them out. */
  by: number;
  /** The scrapped ones among them, and their weight. They leave first. */
  part?: { quantity: number; grams?: number; otherGrams?: number } | undefined;
}

/** Entries inside a process, in the order in which the server lets them leave: first those of the person who takes them out, then the oldest. */
const insideOf = (records: readonly ProcessRecord[], { processId, by }: Exit): ProcessRecord[] =>
  records
    .filter((one) => one.productionProcessId === processId)
    .filter(({ outputDate, released }) => outputDate === null && !released)
    .toSorted(
      (one, other) =>
        Number(other.inputById === by) - Number(one.inputById === by) ||
        Date.parse(one.inputDate) - Date.parse(other.inputDate) ||
        one.id - other.id,
    );

interface Stay {
  quantity: number;
  mg: number;
}

/** Take the first pieces away, with their share by pieces in whole milligrams, as the server does. */
function taken(stays: Stay[], pieces: number): number {
  let [left, mg] = [pieces, 0];
  for (const stay of stays) {
    const going = Math.min(left, stay.quantity);
    const own = going === 0 ? 0 : Math.ceil((stay.mg * going) / stay.quantity - 1 / 2);
    [left, stay.quantity] = [left - going, stay.quantity - going];
    [mg, stay.mg] = [mg + own, stay.mg - own];
  }
  return left > 0 ? Number.NaN : mg;
}

/** What the scrapped and the good pieces of an exit weighed at their entry, in mg. NaN as `gramsThatEntered` is null. */
function enteredMg(records: readonly ProcessRecord[], exit: Exit): { part: number; good: number } {
  const stays = insideOf(records, exit).map(({ quantity, gramsIn }) => ({
    quantity,
    mg: gramsIn === null ? Number.NaN : Math.round(gramsIn * 1_000),
  }));
  const scrapped = exit.part?.quantity ?? 0;
  return { part: taken(stays, scrapped), good: taken(stays, exit.pieces - scrapped) };
}

/**
 * Compute what the pieces of an exit weighed when they entered, the scrapped ones among them too.
 * Null if an entry was not weighed, or if fewer are inside.
 */
export function gramsThatEntered(records: readonly ProcessRecord[], exit: Exit): number | null {
  const { part, good } = enteredMg(records, exit);
  return Number.isNaN(part + good) ? null : (part + good) / 1_000;
}

/**
 * Compute the loss of an exit, with that of its scrapped pieces: they lose nothing unless they are
 * weighed. Null as `gramsThatEntered`, or if more leaves than entered.
 */
export function expectedLoss(
  records: readonly ProcessRecord[],
  exit: Exit,
  { grams, otherGrams, scrapGrams, addedGrams }: Weights,
): Loss | null {
  const entered = gramsThatEntered(records, exit);
  if (grams === undefined || entered === null) return null;
  const { part } = exit;
  const scrapped =
    part?.grams === undefined
      ? enteredMg(records, exit).part / 1_000
      : part.grams - (part.otherGrams ?? 0);
  const gramsIn = entered + (addedGrams ?? 0);
  const lost = gramsIn - (grams - (otherGrams ?? 0)) - (scrapGrams ?? 0) - scrapped;
  return lossOf(lost, gramsIn, insideOf(records, exit)[0]?.allowedLoss ?? null);
}

/**
 * The loss of the last exit from a process, with that of pieces that were scrapped by the same press; null if it was not
 * weighed, or the caller may not read the history.
 */
export function lossOfExit(records: readonly ProcessRecord[], processId: number): Loss | null {
  const left = records
    .filter((one) => one.productionProcessId === processId)
    .filter(({ outputDate, released }) => outputDate !== null && !released);
  const exits = left.filter(({ scrapReason }) => scrapReason === null);
  const last = Math.max(...exits.map(({ outputDate }) => Date.parse(outputDate ?? "")));
  // An exit may close several entries.
  const closed = exits.filter(({ outputDate }) => Date.parse(outputDate ?? "") === last);
  const [first] = closed;
  if (first === undefined || closed.some(({ lossGrams }) => lossGrams === null)) return null;
  const scrapped = left.filter(
    ({ scrapReason, press, lossGrams }) =>
      scrapReason !== null && press === first.press && lossGrams !== null,
  );
  const sum = (of: (record: ProcessRecord) => number | null) =>
    [...closed, ...scrapped].reduce((total, each) => total + (of(each) ?? 0), 0);
  const gramsIn = sum((each) => each.gramsIn) + sum((each) => each.gramsAdded);
  const lost = sum((each) => each.lossGrams);
  return lossOf(lost, gramsIn, first.allowedLoss);
}

/** What was missing at the last entry into a process, in grams; null if nothing was. */
export function missingAtEntry(
  records: readonly ProcessRecord[],
  processId: number,
): number | null {
  const entries = records
    .filter((one) => one.productionProcessId === processId && !one.released)
    .toSorted((one, other) => Date.parse(other.inputDate) - Date.parse(one.inputDate));
  return entries[0]?.gramsBetween ?? null;
}

export const toMilligrams = (grams: number): number => Math.round(grams * 1_000) / 1_000;

/** Round as the server does: grams to milligrams, the share to tenths of a per mille. */
export function lossOf(lost: number, gramsIn: number, allowed: number | null): Loss | null {
  const grams = toMilligrams(lost);
  if (grams < 0 || gramsIn <= 0) return null;
  const perMille = Math.round((grams / gramsIn) * 10_000) / 10;
  return { grams, came: gramsIn, perMille, allowed };
}

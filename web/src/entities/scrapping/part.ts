/** The part of leaving pieces that is scrapped by the same press. See infra/docs/rules.md#scrap. */
import type { Typed } from "@/shared/format/typedNumber";
import { weightProblem } from "@/entities/weight/readings";

/** What is typed about the part. */
export interface PartDraft {
  pieces: Typed;
  /** The key of a scrap reason. */
  reason: string | null;
  notes: string;
  grams: Typed;
  otherGrams: Typed;
  /** A JPEG in base 64. */
  photo: string | null;
}

export const NEW_PART: PartDraft = {
  pieces: 1,
  reason: null,
  notes: "",
  grams: null,
  otherGrams: null,
  photo: null,
};

/** What is sent about the part, beside the number of all pieces that leave. */
export interface ScrappedPart {
  quantity: number;
  reason: string;
  notes: string;
  grams?: number;
  otherGrams?: number;
  photo?: string;
}

/** How many pieces of the part may be scrapped: at least one good piece must leave. */
export const mostOfPart = (leaving: number, mayScrap: number): number =>
  Math.min(leaving - 1, mayScrap);

/** Why the part cannot be sent as it is; null if it can, or if there is none. */
export function partProblem(
  part: PartDraft | null,
  most: number,
): "pieces" | "reason" | "weight" | null {
  if (part === null) return null;
  const { pieces, reason, grams, otherGrams } = part;
  const isCount = typeof pieces === "number" && Number.isInteger(pieces);
  if (!isCount || pieces < 1 || pieces > most) return "pieces";
  if (weightProblem(grams, otherGrams !== null) !== null) return "weight";
  if (weightProblem(otherGrams, false, true) !== null) return "weight";
  return reason === null ? "reason" : null;
}

/** Convert a part without a problem to what is sent. `weighs`: whether the process weighs. */
export function partOf(part: PartDraft | null, weighs: boolean): ScrappedPart | undefined {
  if (part === null) return undefined;
  const { pieces, reason, notes, grams, otherGrams, photo } = part;
  return {
    quantity: Number(pieces),
    reason: reason ?? "",
    notes: notes.trim(),
    ...(weighs && typeof grams === "number" && { grams }),
    ...(weighs && typeof otherGrams === "number" && { otherGrams }),
    ...(photo !== null && { photo }),
  };
}

/** Convert a part that was sent back to a draft. */
export const draftOfPart = (sent: ScrappedPart | undefined): PartDraft | null => {
  if (sent === undefined) return null;
  const { quantity, ...others } = sent;
  return { ...NEW_PART, ...others, pieces: quantity };
};

/** Convert the boxes of a bill to form values and a request body, and sum them. Pure functions. */
import type { Delivery, DeliveryExportIn, DeliveryLine } from "@/contract";
import { orNothing, taken, type NumberRule, type Typed } from "@/shared/format/typedNumber";

export const INCOTERMS = [
  "EXW",
  "FCA",
  "CPT",
  "CIP",
  "DAP",
  "DPU",
  "DDP",
  "FAS",
  "FOB",
  "CFR",
  "CIF",
] as const;

export const PLACE_MOST = 200;
/** The maximum number of boxes on a bill. */
export const MOST_BOXES = 200;
const MOST_KG = 100_000;
export const WEIGHT: NumberRule = { least: 0, most: MOST_KG, decimals: 3 };
export const SIDE: NumberRule = { least: 1, most: 10_000, optional: true };

export interface Content {
  salesOrderId: number;
  position: number;
  quantity: Typed;
}

export interface BoxValues {
  netKg: Typed;
  grossKg: Typed;
  lengthCm: Typed;
  widthCm: Typed;
  heightCm: Typed;
  lines: Content[];
}

export interface ExportValues {
  incoterm: string;
  place: string;
  usdRate: Typed;
  rateDay: string | null;
  paymentForm: string;
  boxes: BoxValues[];
}

/** Pesos for a dollar. */
export const RATE: NumberRule = { least: 0.000001, most: 1_000, decimals: 6, optional: true };
/** How a bill was paid at once, by the SAT's codes. None: it is paid later. */
export const PAYMENT_FORMS = ["01", "02", "03", "04", "28"] as const;

export const FIELDS = ["incoterm", "place", "usdRate", "rateDay", "paymentForm", "boxes"] as const;

type Place = Pick<Content, "salesOrderId" | "position">;

const keyOf = ({ salesOrderId, position }: Place) => `${salesOrderId}-${position}`;
export const isSame = (one: Place, other: Place) => keyOf(one) === keyOf(other);

export const valuesOf = ({ export: { boxes, ...terms } }: Delivery): ExportValues => ({
  incoterm: terms.incoterm,
  place: terms.place,
  usdRate: terms.usdRate,
  rateDay: terms.rateDay,
  paymentForm: terms.paymentForm,
  boxes: boxes.map(({ netKg, grossKg, lengthCm, widthCm, heightCm, lines }) => ({
    netKg,
    grossKg,
    lengthCm,
    widthCm,
    heightCm,
    lines: lines.map(({ salesOrderId, position, quantity }) => ({
      salesOrderId,
      position,
      quantity,
    })),
  })),
});

export function exportBody({ boxes, ...terms }: ExportValues): DeliveryExportIn {
  return {
    incoterm: terms.incoterm as NonNullable<DeliveryExportIn["incoterm"]>,
    place: terms.place.trim(),
    usdRate: orEmpty(terms.usdRate),
    rateDay: terms.rateDay,
    paymentForm: terms.paymentForm,
    boxes: boxes.map((box) => ({
      netKg: orEmpty(box.netKg),
      grossKg: taken(box.grossKg),
      lengthCm: orEmpty(box.lengthCm),
      widthCm: orEmpty(box.widthCm),
      heightCm: orEmpty(box.heightCm),
      lines: box.lines.map((line) => ({ ...line, quantity: taken(line.quantity) })),
    })),
  } as DeliveryExportIn;
}

const orEmpty = (typed: Typed) => (typed === null ? null : taken(typed));

export interface Left {
  line: DeliveryLine;
  /** Pieces in no box; negative if the boxes hold more than the bill. */
  left: number;
}

/** Return the unpacked pieces of each line. */
export function leftOf(bill: Pick<Delivery, "lines">, boxes: readonly BoxValues[]): Left[] {
  const packed = new Map<string, number>();
  for (const content of boxes.flatMap(({ lines }) => lines)) {
    const key = keyOf(content);
    packed.set(key, (packed.get(key) ?? 0) + orNothing(content.quantity));
  }
  return bill.lines.map((line) => ({ line, left: line.quantity - (packed.get(keyOf(line)) ?? 0) }));
}

/** Return a box with all unpacked pieces. */
export function boxOf(left: readonly Left[]): BoxValues {
  return {
    netKg: null,
    grossKg: null,
    lengthCm: null,
    widthCm: null,
    heightCm: null,
    lines: left
      .filter((one) => one.left > 0)
      .map(({ line, left: quantity }) => contentOf(line, quantity)),
  };
}

export const contentOf = ({ salesOrderId, position }: Place, quantity: number): Content => ({
  salesOrderId,
  position,
  quantity,
});

const GRAMS = 1_000;

/** Return the metal in a box by the ledger, in kilograms; null if a line in it has none there. */
export function metalOf(lines: readonly DeliveryLine[], contents: readonly Content[]) {
  let grams = 0;
  for (const content of contents) {
    const line = lines.find((one) => isSame(one, content));
    if (line === undefined || line.metalGrams === null) return null;
    grams += (line.metalGrams * orNothing(content.quantity)) / line.quantity;
  }
  return contents.length === 0 ? null : Math.round(grams) / GRAMS;
}

const NEAR_GRAMS = 5;
const NEAR_SHARE = 0.01;

/** Return whether a typed weight is far from the ledger's: by more than 5 g and more than 1 %. */
export function isFarFrom(metalKg: number, typed: Typed): boolean {
  const apart = typeof typed === "number" ? Math.round(Math.abs(typed - metalKg) * GRAMS) : 0;
  return apart > NEAR_GRAMS && apart > metalKg * GRAMS * NEAR_SHARE;
}

/** Sum pieces and weights. Weights are exact to the gram. A box without a typed net weight counts its metal. */
export function sumOf(boxes: readonly BoxValues[], lines: readonly DeliveryLine[]) {
  const grams = (kg: Typed) => Math.round(orNothing(kg) * GRAMS);
  return {
    pieces: boxes
      .flatMap((box) => box.lines)
      .reduce((sum, one) => sum + orNothing(one.quantity), 0),
    netKg:
      boxes.reduce((sum, box) => sum + grams(box.netKg ?? metalOf(lines, box.lines)), 0) / GRAMS,
    grossKg: boxes.reduce((sum, { grossKg }) => sum + grams(grossKg), 0) / GRAMS,
  };
}

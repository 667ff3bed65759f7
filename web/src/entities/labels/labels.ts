/** Labels: their sizes, how many there will be, and the call that prints them. See infra/docs/rules.md#labels. */
import { api, QUIET } from "@/shared/http/client";
import { download } from "@/shared/http/download";
import { isLanguage, type Language } from "@/shared/language";
import { ofBrowser, parseStored } from "@/shared/stored";

/** What is labelled: lines (without a position every line of the order), the lines on a batch, or those of a bill. */
export type LabelSource =
  | { documents: { salesOrderId: number; position?: number }[] }
  | { batchId: number }
  | { deliveryId: number };

/** The paper of a label, in millimetres, and the language of its words. */
export interface LabelPaper {
  width: number;
  height: number;
  language: Language;
}

export interface LabelForm extends LabelPaper {
  /** Most pieces of one label; null: all of its line. */
  piecesEach: number | null;
  copies: number;
}

type Size = Pick<LabelPaper, "width" | "height">;

export const SIZES: readonly Size[] = [
  { width: 50, height: 25 },
  { width: 62, height: 29 },
  { width: 100, height: 50 },
];
export const SIDES = { width: { least: 40, most: 160 }, height: { least: 20, most: 160 } } as const;
/** Most labels of one print. */
export const MOST_LABELS = 5_000;
const KEY = "labelPaper";

/** How many labels are printed for lines with these pieces. A line without pieces has none. */
export function countOf(pieces: readonly number[], form: Pick<LabelForm, "piecesEach" | "copies">) {
  const ofLine = (count: number) =>
    form.piecesEach === null ? Math.min(count, 1) : Math.ceil(count / form.piecesEach);
  return form.copies * pieces.reduce((sum, count) => sum + ofLine(count), 0);
}

/** Return the label paper that was last used on this device; null if there is none. */
export function keptPaper(): LabelPaper | null {
  const kept = parseStored(ofBrowser.getItem(KEY));
  if (typeof kept !== "object" || kept === null) return null;
  const { width, height, language } = kept as Partial<Record<keyof LabelPaper, unknown>>;
  const fits = isSide("width", width) && isSide("height", height) && isLanguage(language);
  return fits ? { width, height, language } : null;
}

export function keepPaper({ width, height, language }: LabelPaper): void {
  ofBrowser.setItem(KEY, JSON.stringify({ width, height, language }));
}

function isSide(side: keyof typeof SIDES, value: unknown): value is number {
  const { least, most } = SIDES[side];
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

/**
 * Save the labels under the file name that the server gives. Aborting `signal` stops the server too. Throws ApiError.
 */
export function printLabels(
  source: LabelSource,
  form: LabelForm,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  return download(
    api.POST("/pdf/create-labels", {
      body: { ...source, ...form, runId },
      headers: QUIET,
      parseAs: "blob",
      signal,
    }),
    "obrador.pdf",
  );
}

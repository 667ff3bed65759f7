/** The files and pasted cells that an import takes. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStable } from "@/shared/hooks/browser";
import { toast } from "@/shared/ui/toast";

/** Text files can be named after their separator. */
export const ENDINGS = [".xlsx", ".xlsm", ".csv", ".tsv", ".txt"];
const MOST_BYTES = 10 * 1024 * 1024;

/** Return why a file is not taken; null if it is. */
export function whyNot(file: File): "wrongKind" | "tooLarge" | null {
  const name = file.name.toLowerCase();
  if (!ENDINGS.some((ending) => name.endsWith(ending))) return "wrongKind";
  return file.size > MOST_BYTES ? "tooLarge" : null;
}

/** Whether text holds several cells, as spreadsheets copy them. A single cell is pasted into the focused field. */
export function isCells(text: string): boolean {
  return /[\t\n]/.test(text.trimEnd());
}

/**
 * Take cells that are pasted while no field has the focus. Returns the function of a button that pastes: browsers may
 * deny it, but never the keys.
 */
export function usePastedCells(take: (text: string) => void): () => Promise<void> {
  const { t } = useTranslation(["shared", "forms"]);
  const stable = useStable(take);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (document.activeElement !== document.body || !isCells(text)) return;
      event.preventDefault();
      stable(text);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [stable]);
  return async () => {
    try {
      const text = await navigator.clipboard.readText();
      if (isCells(text)) stable(text);
      else toast.error(t("forms:file.nothingCopied"));
    } catch {
      toast.error(t("forms:file.pasteByKeys"));
    }
  };
}

/** Write rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const isFormula = /^'*[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.,]+$/.test(text);
    const safe = isFormula ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = rows.map((row) => row.map(cell).join(","));
  // Spreadsheets recognize UTF-8 by the byte order mark.
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

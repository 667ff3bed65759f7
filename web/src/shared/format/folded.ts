/** Fold texts for comparison, by the same rules as the server (`project/core/folding.py`). */
const BLANKS = /[\s\u0085\u2800]+/gu;
const HYPHENS = /[\u058A\u1806\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/gu;
const ZERO_WIDTH = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** Fold a name to a key in lower case that is equal for names that look the same. Accents count. */
export function nameKey(text: string): string {
  return text
    .replaceAll(ZERO_WIDTH, "")
    .replaceAll(HYPHENS, "-")
    .replaceAll(BLANKS, " ")
    .trim()
    .normalize("NFC")
    .toLowerCase();
}

/** Fold as `nameKey`, and drop accents: «administracion» finds «Administración». */
export function folded(text: string): string {
  return nameKey(text).normalize("NFD").replaceAll(/\p{M}/gu, "");
}

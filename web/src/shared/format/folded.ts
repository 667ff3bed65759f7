/** Texts as people read them, by the rules of the server (`project/core/folding.py`). */
const BLANKS = /[\s\u0085\u2800]+/gu;
const HYPHENS = /[\u058A\u1806\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/gu;
const ZERO_WIDTH = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** What two names share that people read as one, in small letters. Accents count. */
export function nameKey(text: string): string {
  return text
    .replaceAll(ZERO_WIDTH, "")
    .replaceAll(HYPHENS, "-")
    .replaceAll(BLANKS, " ")
    .trim()
    .normalize("NFC")
    .toLowerCase();
}

/** As `nameKey`, without accents: «administracion» finds «Administración». */
export function folded(text: string): string {
  return nameKey(text).normalize("NFD").replaceAll(/\p{M}/gu, "");
}

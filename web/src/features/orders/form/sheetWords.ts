/** The words for the columns of a spreadsheet and for what is wrong in it. */
import type { TFunction } from "i18next";
import type { Column, Refusal } from "./sheet";
import { fieldWord, TEXT_MOST, type TextField } from "./values";

type T = TFunction<["orders", "shared"]>;

export function columnName(t: T, column: Column): string {
  return t(fieldWord(column));
}

/** Say why a cell is refused: "Cantidad: «doce» no es un número". */
export function reasonOf(t: T, { column, why, other = "" }: Refusal): string {
  const most = TEXT_MOST[column as TextField];
  return `${columnName(t, column)}: ${t(`sheet.why.${why}`, { text: other, most })}`;
}

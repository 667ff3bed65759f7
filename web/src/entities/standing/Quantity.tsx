/** The number of pieces of a line: "10", or "6 de 10" if only 6 of them are good. `said`: with the word "piezas". */
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";

interface Props {
  line: { quantity: number; quantityGood: number };
  said?: boolean;
}

export function Quantity({ line: { quantity, quantityGood }, said = false }: Props) {
  const { t } = useTranslation("standing");
  const language = useLanguage();
  const good = formatNumber(quantityGood, language);
  const all = formatNumber(quantity, language);
  if (quantityGood === quantity) return said ? t("pieces", { count: quantity, all }) : all;
  return said ? t("goodPieces", { count: quantity, good, all }) : t("goodOf", { good, all });
}

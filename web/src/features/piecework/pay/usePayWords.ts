/** Say how much each payment is and who gets it: on the buttons, in the question and afterwards. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
import { plantCurrency } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";

type Sentence = "open" | "accept" | "question" | "yes" | "done";

export function usePayWords() {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const amountOf = (total: number | null) =>
    total === null ? t("none") : formatMoney(total, plantCurrency(), language);
  /** Name one person; give the number of several. */
  function payTo(
    sentence: Sentence,
    total: number | null,
    people: readonly { name: string }[],
  ): string {
    const amount = amountOf(total);
    const [only] = people;
    return people.length === 1 && only !== undefined
      ? t(`pay.${sentence}.one`, { amount, name: only.name })
      : t(`pay.${sentence}.several`, { amount, count: people.length });
  }
  return { amountOf, payTo };
}

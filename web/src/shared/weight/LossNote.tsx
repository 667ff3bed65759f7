/** Say how much metal an exit lost. The text is amber if that is more than the process allows. */
import { useTranslation } from "react-i18next";
import { formatGrams, formatPerMille } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { isOver, type Loss } from "./weights";

/** "Merma 1.8 g · 12 ‰ · permitida 20 ‰" */
export function useLossText(): (loss: Loss) => string {
  const { t } = useTranslation("weight");
  const language = useLanguage();
  return ({ grams, perMille, allowed }) =>
    [
      t("loss.lost", { grams: formatGrams(grams, language) }),
      formatPerMille(perMille, language),
      allowed !== null && t("loss.allowed", { share: formatPerMille(allowed, language) }),
    ]
      .filter(Boolean)
      .join(" · ");
}

export function LossNote({ loss }: { loss: Loss }) {
  const textOf = useLossText();
  return (
    <p className={isOver(loss) ? "ob-note ob-note--warning ob-doubtful" : "ob-quiet"} role="status">
      {textOf(loss)}
    </p>
  );
}

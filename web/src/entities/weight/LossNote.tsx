/** Say how much metal an exit lost. The text is amber if that is more than the process allows. */
import { useTranslation } from "react-i18next";
import { formatGrams, formatLossShare } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { isOver, type Loss } from "./weights";

/** "Merma 1.8 g · 1.2 % · permitida 2 %" */
export function useLossText(): (loss: Loss) => string {
  const { t } = useTranslation("weight");
  const language = useLanguage();
  return ({ grams, perMille, allowed }) =>
    [
      t("loss.lost", { grams: formatGrams(grams, language) }),
      formatLossShare(perMille, language),
      allowed !== null && t("loss.allowed", { share: formatLossShare(allowed, language) }),
    ]
      .filter(Boolean)
      .join(" · ");
}

/** Say in amber what was missing at an entry since the last weighing. */
export function BetweenNote({ grams }: { grams: number }) {
  const { t } = useTranslation("weight");
  const language = useLanguage();
  const name = grams > 0 ? "between.missing" : "between.more";
  return (
    <p className="ob-note ob-note--warning ob-doubtful" role="status">
      {t(name, { grams: formatGrams(Math.abs(grams), language) })}
    </p>
  );
}

export function LossNote({ loss }: { loss: Loss }) {
  const textOf = useLossText();
  return (
    <p className={isOver(loss) ? "ob-note ob-note--warning ob-doubtful" : "ob-quiet"} role="status">
      {textOf(loss)}
    </p>
  );
}

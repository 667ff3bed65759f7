/** What the person's piece work earned: today, this week, still to be paid, paid. Follows every movement of theirs. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { useMyEarnings, useMyProcesses } from "./home.api";

const FIGURES = ["today", "week", "open", "paid"] as const;

/** Nothing for who neither works in a process nor ever earned by the piece. */
export function MyEarnings() {
  const { t } = useTranslation("home");
  const language = useLanguage();
  const { data } = useMyEarnings();
  const { data: processes = [] } = useMyProcesses();
  if (data === undefined) return null;
  if (processes.length === 0 && FIGURES.every((figure) => data[figure] === 0)) return null;
  return (
    <section aria-labelledby="earnings">
      <h2 id="earnings">{t("earnings.title")}</h2>
      <p className="ob-home__hint">{t("earnings.hint")}</p>
      <dl className="ob-surface ob-earnings">
        {FIGURES.map((figure) => (
          <div key={figure} className={`ob-earnings__figure ob-earnings__figure--${figure}`}>
            <dt>{t(`earnings.${figure}`)}</dt>
            <dd>{formatMoney(data[figure], data.currency, language)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

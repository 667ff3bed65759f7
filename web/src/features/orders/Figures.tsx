/** Progress and delivery date of an order or a line. */
import { useTranslation } from "react-i18next";
import type { OrderSummary } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import "./lists.css";

type Pieces = Pick<OrderSummary, "quantity" | "quantityDone" | "progress">;

/**
 * The bar and the percentage advance with every process; the pieces beside them are the finished
 * ones.
 */
export function Progress({ quantity, quantityDone, progress }: Pieces) {
  const { t } = useTranslation("orders");
  const language = useLanguage();
  if (quantity === 0) return <span className="ob-quiet">{t("none")}</span>;
  const share = progress < 1 ? Math.min(99, Math.round(100 * progress)) : 100;
  const figures = {
    share,
    done: formatNumber(quantityDone, language),
    pieces: formatNumber(quantity, language),
  };
  return (
    <span
      className={share === 100 ? "ob-progress ob-progress--whole" : "ob-progress"}
      role="img"
      aria-label={t("progress", figures)}
      title={t("progress", figures)}
    >
      <span className="ob-progress__track">
        <span className="ob-progress__bar" style={{ width: `${share}%` }} />
      </span>
      <span className="ob-progress__share">{t("percent", { share })}</span>
      <span className="ob-quiet">
        {figures.done} / {figures.pieces}
      </span>
    </span>
  );
}

export function Delivery({ day, late }: { day: string | null; late: boolean }) {
  const { t } = useTranslation("orders");
  if (day === null) return <span className="ob-quiet">{t("none")}</span>;
  return (
    <span className={late ? "ob-words ob-nowrap ob-wrong" : "ob-words ob-nowrap"}>
      <span>{day}</span>
      {late && <span className="ob-chip ob-chip--plain ob-chip--bad">{t("late")}</span>}
    </span>
  );
}

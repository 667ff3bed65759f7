/** Progress, delivery date and picture of an order or a line. */
import { useTranslation } from "react-i18next";
import type { Line, OrderSummary } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useAnswers } from "@/shared/http/data";
import { ORDERS_AND_LINES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import "./lists.css";

type Pieces = Pick<OrderSummary, "quantity" | "quantityDone" | "progress">;

/**
 * The progress of an order or a line. The bar advances with every process. The words beside it say
 * how many pieces are finished and, until all are, the total progress.
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
      <span className="ob-stack ob-progress__words">
        <span>{t("finished", figures)}</span>
        {share < 100 && <span className="ob-quiet ob-small">{t("onTheWay", figures)}</span>}
      </span>
    </span>
  );
}

interface DeliveryProps {
  day: string | null;
  late: boolean;
  /** Whether another text beside the date says how late the line is: then only colour the date. */
  said?: boolean;
}

export function Delivery({ day, late, said = false }: DeliveryProps) {
  const { t } = useTranslation("orders");
  if (day === null) return <span className="ob-quiet">{t("none")}</span>;
  return (
    <span className={late ? "ob-bar ob-nowrap ob-wrong" : "ob-bar ob-nowrap"}>
      <span>{day}</span>
      {late && !said && <span className="ob-chip ob-chip--plain ob-chip--bad">{t("late")}</span>}
    </span>
  );
}

/**
 * The picture of a line's pieces. If the address has expired, reload the lists and lines to get new
 * addresses.
 */
export function LinePicture({ line: { thumbnail } }: { line: Pick<Line, "thumbnail"> }) {
  const { reload } = useAnswers();
  return <Thumb address={thumbnail} onExpired={() => void reload(ORDERS_AND_LINES)} />;
}

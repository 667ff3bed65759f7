/** When a line or an order will probably be done, coloured by the risk of being late. See infra/docs/rules.md#forecast. */
import FieldTimeOutlined from "@ant-design/icons/es/icons/FieldTimeOutlined";
import { useTranslation } from "react-i18next";
import type { LineDocument, OrderSummary } from "@/contract";
import { sayDays } from "@/shared/format/days";
import { formatDay } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import { useIsCustomer } from "@/shared/session/session";
import "./forecast.css";

export type LineForecast = NonNullable<LineDocument["forecast"]>;

interface Props {
  forecast: LineForecast | OrderSummary["forecast"];
  /** The line is already late, and another text beside this says so. */
  late?: boolean;
  /** The agreed day. Customers are told how many days after it the line will probably be done. */
  due?: string | null;
  /**
   * Why there is no forecast. The reason is shown in its place; without a reason nothing is shown.
   */
  why?: LineDocument["forecastWhy"];
}

export function Forecast({ forecast, late = false, due = null, why = null }: Props) {
  const { t } = useTranslation("forecast");
  const language = useLanguage();
  const customer = useIsCustomer();
  if (forecast === null) {
    if (why === null || why === "finished") return null;
    return <span className="ob-quiet">{t(`why.${why}`)}</span>;
  }
  const { p50, p80, risk } = forecast;
  const day = sayDays(p80, p80, language);
  if (customer) {
    const count = due === null ? 0 : daysBetween(due, p80);
    return (
      <span>
        {t("byAbout", { day })}
        {count > 0 && `, ${t("daysLate", { count })}`}
      </span>
    );
  }
  const onTime = "onTime" in forecast ? forecast.onTime : null;
  const said = [
    "p10" in forecast
      ? t("between", { first: formatDay(forecast.p10), last: formatDay(forecast.p90) })
      : t("half", { day: formatDay(p50) }),
    ...(onTime === null ? [] : [t("onTime", { percent: Math.round(100 * onTime) })]),
  ].join(" · ");
  const warns = risk === "high" && !late;
  return (
    <span className={`ob-forecast ob-forecast--${risk ?? "unknown"}`} title={said}>
      {warns && <FieldTimeOutlined aria-hidden />}
      {warns && <span className="ob-visually-hidden">{t("likelyLate")}: </span>}
      <span>{t("by", { day })}</span>
    </span>
  );
}

const DAY = 86_400_000;

const daysBetween = (first: string, last: string) =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY);

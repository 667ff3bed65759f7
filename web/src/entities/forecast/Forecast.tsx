/** When a line or an order will probably be done, coloured by the risk of being late. See infra/docs/rules.md#forecast. */
import FieldTimeOutlined from "@ant-design/icons/es/icons/FieldTimeOutlined";
import { useTranslation } from "react-i18next";
import type { LineDocument, OrderSummary } from "@/contract";
import { sayDays } from "@/shared/format/days";
import { formatDay } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import "./forecast.css";

export type LineForecast = NonNullable<LineDocument["forecast"]>;

interface Props {
  forecast: LineForecast | OrderSummary["forecast"];
  /** The line is already late, and another text beside this says so. */
  late?: boolean;
  /**
   * Why there is no forecast. The reason is shown in its place; without a reason nothing is shown.
   */
  why?: LineDocument["forecastWhy"];
}

export function Forecast({ forecast, late = false, why = null }: Props) {
  const { t } = useTranslation("forecast");
  const language = useLanguage();
  if (forecast === null) {
    if (why === null || why === "finished") return null;
    return <span className="ob-quiet">{t(`why.${why}`)}</span>;
  }
  const { p50, p80, risk } = forecast;
  const onTime = "onTime" in forecast ? forecast.onTime : null;
  const said = [
    t("said", { first: formatDay(p50), last: formatDay(p80) }),
    ...(onTime === null ? [] : [t("onTime", { percent: Math.round(100 * onTime) })]),
  ].join(" · ");
  const warns = risk === "high" && !late;
  return (
    <span className={`ob-forecast ob-forecast--${risk ?? "unknown"}`} title={said}>
      {warns && <FieldTimeOutlined aria-hidden />}
      {warns && <span className="ob-visually-hidden">{t("likelyLate")}: </span>}
      <span>{t("range", { days: sayDays(p50, p80, language) })}</span>
    </span>
  );
}

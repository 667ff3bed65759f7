/** A duration given in hours, in the unit that reads best. */
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { duration } from "./durations";

export function useHours(): (hours: number | null) => string {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  return (hours) => {
    if (hours === null) return t("none");
    const { unit, value } = duration(hours);
    return t(`unit.${unit}`, { value: formatNumber(value, language) });
  };
}

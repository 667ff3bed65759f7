/** A fineness in per mille. A number up to 100 may be meant in percent: the field asks, and changes nothing alone. */
import Button from "antd/es/button";
import { useState, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatPerMille } from "@/shared/format/numbers";
import type { NumberRule, Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { NumberField } from "./NumberField";

/** A fineness in per mille: 925 or 999.9. */
export const FINENESS: NumberRule = { least: 0, most: 1_000, decimals: 1 };
const PERCENT_MOST = 100;

/** The form gives it value, onChange and id. Without `rule` the fineness is required. */
export function FinenessField({
  rule = FINENESS,
  value = null,
  onChange,
  ...rest
}: Partial<ComponentProps<typeof NumberField>>) {
  const { t } = useTranslation("forms");
  const language = useLanguage();
  // Only a number that was typed now is doubtful: the stored one was confirmed before.
  const [doubtful, setDoubtful] = useState<Typed>(null);
  const asked =
    typeof value === "number" && value === doubtful && value > 0 && value <= PERCENT_MOST
      ? value
      : null;

  function change(typed: Typed) {
    setDoubtful(typed);
    onChange?.(typed);
  }

  function mean(typed: number) {
    setDoubtful(null);
    onChange?.(typed);
  }

  return (
    <span className="ob-stack ob-stack--tight">
      <NumberField {...rest} rule={rule} value={value} onChange={change} suffix="‰" />
      {asked !== null && (
        <span className="ob-words" role="status">
          <span>{t("fineness.question")}</span>
          <Button size="small" onClick={() => mean(Math.round(asked * 100) / 10)}>
            {t("fineness.percent", {
              percent: formatNumber(asked, language),
              share: formatPerMille(Math.round(asked * 100) / 10, language),
            })}
          </Button>
          <Button size="small" onClick={() => mean(asked)}>
            {formatPerMille(asked, language)}
          </Button>
        </span>
      )}
    </span>
  );
}

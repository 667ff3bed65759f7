/**
 * A fineness in per mille. A number up to 100 may be meant in percent: the field asks, and changes nothing alone. It
 * offers the per mille of `92.5%`, `.925` and `14k`.
 */
import Button from "antd/es/button";
import { useState, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatPerMille } from "@/shared/format/numbers";
import { textOf, type NumberRule, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { NumberField } from "./NumberField";

/** A fineness in per mille: 925 or 999.9. */
export const FINENESS: NumberRule = { least: 0, most: 1_000, decimals: 1 };
const PERCENT_MOST = 100;

/** Per mille in a unit of a fineness: percent, karats (24 are pure), a share of 1. */
const UNITS: Record<string, number> = { "%": 10, k: 1_000 / 24, q: 1_000 / 24, "": 1_000 };
const WITH_UNIT =
  /^(?<figure>\d+(?:[.,]\d+)?|[.,]\d+)\s*(?:(?<unit>%|k(?=t?$)|k(?=ilates?$|arats?$)|q(?=uilates?$))[a-z]*|\/\s*1,?000|‰)?$/i;

/** The per mille that a text means which is no number in per mille; null if it means none. */
export function meantBy(typed: Typed): number | null {
  if (typed === null) return null;
  const parts = WITH_UNIT.exec(textOf(typed).trim())?.groups;
  if (parts === undefined) return null;
  const { figure = "", unit } = parts;
  const share = Number(figure.replace(",", "."));
  const isShare = unit === undefined && share > 0 && share < 1;
  // A number in per mille needs no offer, but `925 ‰` and `925/1000` are not numbers.
  if (typeof typed === "number" && !isShare) return null;
  const times = unit === undefined ? (isShare ? UNITS[""] : 1) : UNITS[unit.toLowerCase()];
  const perMille = Math.round(share * (times ?? 1) * 10) / 10;
  return perMille > 0 && perMille <= FINENESS.most ? perMille : null;
}

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
    typeof value === "number" && value === doubtful && value >= 1 && value <= PERCENT_MOST
      ? value
      : null;
  const meant = value === doubtful ? meantBy(value) : null;

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
      {meant !== null && (
        <span className="ob-words" role="status">
          <Button size="small" onClick={() => mean(meant)}>
            {t("fineness.means", { typed: textOf(value), share: formatPerMille(meant, language) })}
          </Button>
        </span>
      )}
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

/**
 * Field for the number of pieces. Only the user changes it: by typing, or with buttons large enough
 * for gloves.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import type { NumberRule, Typed } from "@/shared/format/typedNumber";

interface Props {
  value: Typed;
  rule: NumberRule;
  /** Shown for a number above `rule.most`. */
  tooMany: string;
  onChange: (pieces: Typed) => void;
}

export function PiecesField({ value, rule, tooMany, onChange }: Props) {
  const { t } = useTranslation(["orders", "forms"]);
  const { least, most } = rule;
  const pieces = typeof value === "number" ? value : null;
  return (
    <div className="ob-stack ob-strong ob-popup__field">
      <label htmlFor="pieces">
        {t("popup.pieces")} <span className="ob-quiet">{t("popup.piecesOf", { max: most })}</span>
      </label>
      <div className="ob-row ob-pieces-field">
        <Button
          size="large"
          aria-label={t("popup.fewer")}
          disabled={pieces === null || pieces <= least}
          onClick={() => onChange((pieces ?? least) - 1)}
        >
          {MINUS}
        </Button>
        <NumberField
          size="large"
          id="pieces"
          rule={rule}
          words={{ tooMany, missing: t("forms:number.howMany") }}
          value={value}
          onChange={onChange}
        />
        <Button
          size="large"
          aria-label={t("popup.moreOne")}
          disabled={pieces === null || pieces >= most}
          onClick={() => onChange((pieces ?? least) + 1)}
        >
          {PLUS}
        </Button>
        <Button size="large" disabled={most < least} onClick={() => onChange(most)}>
          {t("popup.all", { max: most })}
        </Button>
      </div>
    </div>
  );
}

const MINUS = "−";
const PLUS = "+";

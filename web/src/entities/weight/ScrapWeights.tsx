/** The weight of scrapped pieces, and folded below it their stones. Both may be left out. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Typed } from "@/shared/format/typedNumber";
import { WeightField } from "./WeightField";

interface Props {
  grams: Typed;
  otherGrams: Typed;
  /** Why the server refused the weight. */
  refused?: string | null;
  /** The device's scale writes into the field. False if another field of the form waits for it. */
  fromScale?: boolean;
  onChange: (weights: { grams?: Typed; otherGrams?: Typed }) => void;
}

export function ScrapWeights({
  grams,
  otherGrams,
  refused = null,
  fromScale = true,
  onChange,
}: Props) {
  const { t } = useTranslation("weight");
  const id = useId();
  const [isOpen] = useState(otherGrams !== null);
  return (
    <div className="ob-stack ob-stack--tight ob-weights">
      <label className="ob-strong" htmlFor={`${id}grams`}>
        {t("ofScrap")}
      </label>
      <WeightField
        id={`${id}grams`}
        size="large"
        fromScale={fromScale}
        required={otherGrams !== null}
        refused={refused}
        value={grams}
        onChange={(next) => onChange({ grams: next })}
      />
      <details className="ob-weights__more" open={isOpen}>
        <summary>{t("otherGrams")}</summary>
        <WeightField
          aria-label={t("otherGrams")}
          size="large"
          fromZero
          value={otherGrams}
          onChange={(next) => onChange({ otherGrams: next })}
        />
      </details>
    </div>
  );
}

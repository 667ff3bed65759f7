/** How many pieces go along: all of them unless the person says fewer. Buttons large enough for gloves. */
import Button from "antd/es/button";
import InputNumber from "antd/es/input-number";
import { useTranslation } from "react-i18next";

interface Props {
  value: number;
  max: number;
  onChange: (pieces: number) => void;
}

export function PiecesField({ value, max, onChange }: Props) {
  const { t } = useTranslation("orders");
  return (
    <div className="ob-popup__field">
      <label htmlFor="pieces">
        {t("popup.pieces")} <span className="ob-quiet">{t("popup.piecesOf", { max })}</span>
      </label>
      <div className="ob-pieces-field">
        <Button
          aria-label={t("popup.fewer")}
          disabled={value <= 1}
          onClick={() => onChange(value - 1)}
        >
          {MINUS}
        </Button>
        <InputNumber
          id="pieces"
          controls={false}
          inputMode="numeric"
          min={1}
          max={max}
          precision={0}
          value={value}
          onChange={(pieces) => onChange(pieces ?? max)}
        />
        <Button
          aria-label={t("popup.moreOne")}
          disabled={value >= max}
          onClick={() => onChange(value + 1)}
        >
          {PLUS}
        </Button>
        <Button className="ob-pieces-field__all" onClick={() => onChange(max)}>
          {t("popup.all")}
        </Button>
      </div>
    </div>
  );
}

const MINUS = "−";
const PLUS = "+";

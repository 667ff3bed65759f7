/**
 * Buttons that take pieces out and bring them into another process. The usual next process is
 * shown, the others are folded.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { StationScan } from "@/contract";
import type { Pressed } from "./types";

export type Offer = StationScan["handOver"][number];

interface Props {
  offers: readonly Offer[];
  quantity: number;
  /** Nothing may be pressed now, or the number of pieces is wrong. */
  disabled: boolean;
  /** Whether the weight is wrong or missing for an offer. */
  lacksWeight: (offer: Offer) => boolean;
  sayMovement: (to: Pressed["to"]) => string;
  onPress: (to: Pressed["to"], offer: Offer) => void;
}

export function HandOvers(props: Props) {
  const { offers, quantity, disabled, lacksWeight, sayMovement, onPress } = props;
  const { t } = useTranslation("station");
  const others = offers.filter(({ usual }) => !usual);

  const handOver = (offer: Offer) => {
    const { maxQuantity, productionProcessId, productionProcessName } = offer;
    const to = { productionProcessId, productionProcessName };
    const isTooMany = quantity > maxQuantity;
    return (
      <Button
        key={productionProcessId}
        block
        className="ob-opened__over"
        disabled={disabled || isTooMany || lacksWeight(offer)}
        onClick={() => onPress(to, offer)}
      >
        {sayMovement(to)}
        {!disabled && isTooMany && <small>{t("amount.onlyIn", { count: maxQuantity })}</small>}
        {!disabled && !isTooMany && lacksWeight(offer) && <small>{t("withWeight")}</small>}
      </Button>
    );
  };

  return (
    <>
      {offers.filter(({ usual }) => usual).map(handOver)}
      {others.length > 0 && (
        <details className="ob-station__later">
          <summary>{t("others", { count: others.length })}</summary>
          <div className="ob-stack">{others.map(handOver)}</div>
        </details>
      )}
    </>
  );
}

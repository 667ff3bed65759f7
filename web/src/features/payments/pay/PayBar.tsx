/** What is ticked and what it comes to; stands only while something is. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { plantCurrency } from "@/shared/format/plantCurrency";
import { Money } from "@/shared/ui/Money";
import { SelectionBar } from "@/shared/ui/SelectionBar";
import { itemsOf, totalOf, type Basket } from "../basket";

interface Props {
  basket: Basket;
  onPay: () => void;
  onClear: () => void;
}

export function PayBar({ basket, onPay, onClear }: Props) {
  const { t } = useTranslation("payments");
  if (basket.size === 0) return null;
  const { pieces, total } = totalOf(itemsOf(basket));
  return (
    <SelectionBar
      label={t("pay.selection")}
      said={
        <>
          {t("pay.records", { count: basket.size })} · {t("pieces", { count: pieces })} ·{" "}
          <strong>
            <Money amount={total} currency={plantCurrency()} />
          </strong>
        </>
      }
    >
      <Button type="primary" onClick={onPay}>
        {t("pay.open")}
      </Button>
      <Button type="text" onClick={onClear}>
        {t("pay.unselect")}
      </Button>
    </SelectionBar>
  );
}

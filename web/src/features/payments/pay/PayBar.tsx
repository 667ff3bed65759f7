/** What is ticked, whose it is and what it comes to. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import type { Selection } from "@/shared/hooks/useSelection";
import { SelectionBar } from "@/shared/ui/SelectionBar";
import { basketOf, byPerson, itemsOf, totalOf } from "../basket";
import { usePayWords } from "./usePayWords";

interface Props {
  selection: Selection<Payable>;
  onPay: () => void;
}

export function PayBar({ selection, onPay }: Props) {
  const { t } = useTranslation("payments");
  const { payTo } = usePayWords();
  const basket = basketOf(selection.rows);
  const items = itemsOf(basket);
  const { pieces, total } = totalOf(items, basket);
  return (
    <SelectionBar
      label={t("pay.selection")}
      selection={selection}
      gender="male"
      sum={pieces === null ? t("none") : t("pieces", { count: pieces })}
    >
      <Button type="primary" onClick={onPay}>
        {payTo("open", total, byPerson(items, basket))}
      </Button>
    </SelectionBar>
  );
}

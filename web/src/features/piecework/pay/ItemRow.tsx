/** One ticked record in the form: pieces, price and amount. */
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { NumberField } from "@/shared/form/NumberField";
import { priceRule } from "@/shared/format/money";
import { useLanguage } from "@/shared/i18n";
import { Money } from "@/shared/ui/Facts";
import { amountOf, piecesRule, type Item } from "../basket";
import { lineName, Remaining } from "./columns";

export function ItemRow({ row, index }: { row: Payable; index: number }) {
  const { t } = useTranslation(["piecework", "forms"]);
  const language = useLanguage();
  const item = Form.useWatch<Item>(["items", index]);
  const most = row.remainingQuantity;
  const amount = item === undefined ? null : amountOf(item, most);
  return (
    <fieldset className="ob-box ob-pay-item">
      <legend>
        {lineName(row)} · {row.productionProcessName}
      </legend>
      <span className="ob-stack ob-stack--tight ob-pay-item__what">
        <span>{row.itemName}</span>
        <span className="ob-quiet">{row.outputUsername}</span>
        <span className="ob-quiet">
          {t("column.remaining")}: <Remaining row={row} language={language} />
        </span>
      </span>
      <Form.Item name={["items", index, "quantity"]} label={t("column.pieces")}>
        <NumberField
          // The pieces left can decrease while the form is open.
          rule={piecesRule(most)}
          words={{ tooMany: t("pay.tooMany", { most }), missing: t("forms:number.howMany") }}
        />
      </Form.Item>
      <Form.Item name={["items", index, "price"]} label={t("column.price")}>
        <NumberField rule={priceRule(row.currency)} suffix={row.currency} />
      </Form.Item>
      <span className="ob-stack ob-strong ob-pay-item__amount">
        <span className="ob-quiet">{t("column.amount")}</span>
        <Money amount={amount} currency={row.currency} />
      </span>
    </fieldset>
  );
}

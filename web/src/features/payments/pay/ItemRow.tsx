/** One ticked record in the form: how many of its pieces, at what price each, and what that comes to. */
import Form from "antd/es/form";
import InputNumber from "antd/es/input-number";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { useLanguage } from "@/shared/i18n";
import { amountOf, type Item } from "../basket";
import { Money } from "../Money";
import { lineName, Remaining } from "./columns";

const DEAREST = 9_999_999_999;

export function ItemRow({ row, index }: { row: Payable; index: number }) {
  const { t } = useTranslation(["payments", "forms"]);
  const language = useLanguage();
  const item = Form.useWatch<Item>(["items", index]);
  const amount = item === undefined ? null : amountOf(item);
  const required = { required: true, message: t("forms:required") };
  const most = row.remainingQuantity;
  return (
    <fieldset className="ob-pay-item">
      <legend>
        {lineName(row)} · {row.productionProcessName}
      </legend>
      <span className="ob-pay-item__what">
        <span>{row.itemName}</span>
        <span className="ob-quiet">{row.outputUsername}</span>
        <span className="ob-quiet">
          {t("column.remaining")}: <Remaining row={row} language={language} />
        </span>
      </span>
      <Form.Item
        name={["items", index, "quantity"]}
        label={t("column.pieces")}
        // What is left may become less while the form is open.
        rules={[required, { type: "number", max: most, message: t("pay.tooMany", { most }) }]}
      >
        <InputNumber min={1} precision={0} controls={false} inputMode="numeric" />
      </Form.Item>
      <Form.Item name={["items", index, "price"]} label={t("column.price")} rules={[required]}>
        <InputNumber min={0} max={DEAREST} controls={false} inputMode="decimal" />
      </Form.Item>
      <span className="ob-pay-item__amount">
        <span className="ob-quiet">{t("column.amount")}</span>
        {amount === null ? <span>{t("forms:none")}</span> : <Money amount={amount} />}
      </span>
    </fieldset>
  );
}

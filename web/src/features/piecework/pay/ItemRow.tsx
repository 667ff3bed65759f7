/** One ticked record in the form: pieces, price and amount. */
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { NumberField } from "@/shared/form/NumberField";
import { priceRule } from "@/shared/format/money";
import { useNarrow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { Money } from "@/shared/ui/Facts";
import { amountOf, piecesRule, type Item } from "../basket";
import { Grams, lineName, Remaining } from "./columns";

export function ItemRow({ row, index }: { row: Payable; index: number }) {
  const { t } = useTranslation(["piecework", "forms"]);
  const language = useLanguage();
  const narrow = useNarrow();
  const item = Form.useWatch<Item>(["items", index]);
  const most = row.remainingQuantity;
  const amount = item === undefined ? null : amountOf(item, most, row);
  const line = lineName(row);
  return (
    <div
      className="ob-pay-item"
      role="group"
      aria-label={`${line} · ${row.productionProcessName} · ${row.outputUsername}`}
    >
      <span className="ob-pay-item__what">
        <strong>{line}</strong> <span className="ob-quiet">{row.itemName}</span>
        {row.unit === "gram" && (
          <span className="ob-quiet">
            {" "}
            · <Grams grams={row.remainingGrams} />
          </span>
        )}
        {most < row.quantity && (
          <span className="ob-quiet">
            {" "}
            · {t("column.remaining")}: <Remaining row={row} language={language} />
          </span>
        )}
      </span>
      <Form.Item
        name={["items", index, "quantity"]}
        {...(narrow ? { label: t("column.pieces") } : {})}
      >
        <NumberField
          // The pieces left can decrease while the form is open.
          rule={piecesRule(most)}
          words={{ tooMany: t("pay.tooMany", { most }), missing: t("forms:number.howMany") }}
          aria-label={t("pay.piecesOf", { line })}
        />
      </Form.Item>
      <Form.Item name={["items", index, "price"]} {...(narrow ? { label: t("column.price") } : {})}>
        <NumberField
          rule={priceRule(row.currency)}
          suffix={row.unit === "gram" ? `${row.currency} / g` : row.currency}
          aria-label={t(row.unit === "gram" ? "pay.gramPriceOf" : "pay.priceOf", { line })}
        />
      </Form.Item>
      <span className="ob-strong ob-pay-item__amount">
        {narrow && <span className="ob-quiet">{t("column.amount")}</span>}
        <Money amount={amount} currency={row.currency} />
      </span>
    </div>
  );
}

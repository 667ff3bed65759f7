/** Row of a finished line. A ticked line has fields for quantity, price and tax. */
import Checkbox from "antd/es/checkbox";
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import { priceRule } from "@/shared/format/money";
import { formatMoney, formatNumber } from "@/shared/format/numbers";
import { PIECES, orNothing, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { Money } from "@/shared/ui/Facts";
import type { Row } from "./rows";
import { amountOf } from "./totals";
import { TAX, type BillValues, type LineValues } from "./values";

interface Props {
  row: Row;
  /** Index of the line in the form; undefined if it is not ticked. */
  name: number | undefined;
  onTick: () => void;
  /** Called if the URL of the picture has expired. */
  onExpired: () => void;
}

export function PickerRow({ row, name, onTick, onExpired }: Props) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const { line, deliveryDate, remaining } = row;
  const label = (column: "delivery" | "remaining" | "price" | "tax") => ({
    "data-label": t(`lines.${column}`),
  });
  return (
    <tr className={name === undefined ? "ob-picker__row" : "ob-picker__row ob-picker__row--ticked"}>
      <th scope="row" className="ob-picker__item">
        <Tick row={row} ticked={name !== undefined} onTick={onTick} onExpired={onExpired} />
      </th>
      <td className="ob-picker__delivery" {...label("delivery")}>
        {deliveryDate ?? t("none")}
      </td>
      <td className="ob-picker__remaining" {...label("remaining")}>
        {formatNumber(remaining, language)}
      </td>
      {name === undefined ? (
        <>
          <td className="ob-picker__quantity ob-quiet">{t("none")}</td>
          <td className="ob-picker__price" {...label("price")}>
            {formatMoney(line.listPrice ?? 0, line.listCurrency, language)}
          </td>
          <td className="ob-picker__tax" {...label("tax")}>
            {t("percent", { rate: formatNumber(orNothing(line.taxAmount), language) })}
          </td>
          <td className="ob-picker__amount ob-quiet">{t("none")}</td>
        </>
      ) : (
        <Billed line={line} name={name} remaining={remaining} />
      )}
    </tr>
  );
}

interface TickProps {
  row: Row;
  ticked: boolean;
  onTick: () => void;
  onExpired: () => void;
}

function Tick({ row: { line, thumbnail }, ticked, onTick, onExpired }: TickProps) {
  const { t } = useTranslation("billing");
  return (
    <Checkbox checked={ticked} onChange={onTick}>
      <Thumb address={thumbnail} onExpired={onExpired} />
      <span className="ob-breaks ob-stack ob-stack--tight">
        <strong>{line.itemName}</strong>
        <span className="ob-quiet">
          {t("lines.place", { po: line.customerSalesOrderId, position: line.position })}
        </span>
      </span>
    </Checkbox>
  );
}

function Billed({ line, name, remaining }: { line: LineValues; name: number; remaining: number }) {
  const { t } = useTranslation(["billing", "forms"]);
  const of = { item: line.itemName, position: line.position };
  const quantity = orNothing(Form.useWatch<Typed>(["lines", name, "quantity"]));
  const language = useLanguage();
  const currency = Form.useWatch<string | undefined>("currency") ?? "";
  return (
    <>
      <td className="ob-picker__quantity" data-label={t("lines.quantity")}>
        <Form.Item
          name={[name, "quantity"]}
          // A hint, not an error: a pre-bill may ask for more pieces than are left, and the server
          // refuses such a bill.
          extra={
            quantity > remaining && (
              <span className="ob-wrong" role="status">
                {remaining === 0 ? t("lines.gone") : t("lines.left", { count: remaining })}
              </span>
            )
          }
        >
          <NumberField
            className="ob-picker__number"
            rule={PIECES}
            words={{ missing: t("forms:number.howMany") }}
            aria-label={t("lines.quantityOf", of)}
          />
        </Form.Item>
      </td>
      <td className="ob-picker__price" data-label={t("lines.price")}>
        <Form.Item
          name={[name, "price"]}
          // Show the list price in its own currency, as a reference.
          extra={
            line.listPrice !== null &&
            line.listCurrency !== currency &&
            t("lines.listed", { price: formatMoney(line.listPrice, line.listCurrency, language) })
          }
        >
          <NumberField
            className="ob-picker__number"
            rule={priceRule(currency)}
            suffix={currency}
            aria-label={t("lines.priceOf", of)}
          />
        </Form.Item>
      </td>
      <td className="ob-picker__tax" data-label={t("lines.tax")}>
        <Form.Item name={[name, "taxAmount"]}>
          <NumberField
            className="ob-picker__number"
            rule={TAX}
            suffix="%"
            aria-label={t("lines.taxOf", of)}
          />
        </Form.Item>
      </td>
      <td className="ob-picker__amount" data-label={t("lines.amount")}>
        <Amount name={name} />
      </td>
    </>
  );
}

function Amount({ name }: { name: number }) {
  const form = Form.useFormInstance<BillValues>();
  const amount = Form.useWatch(
    ({ lines, currency }: BillValues) => ({
      amount: lines?.[name] === undefined ? null : amountOf(lines[name], currency ?? ""),
      currency: currency ?? "",
    }),
    form,
  );
  return <Money {...(amount ?? { amount: null, currency: "" })} />;
}

/**
 * Fill in the prices of products that have another currency than the bill, at a rate that the user
 * types.
 */
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import type { Typed } from "@/shared/format/typedNumber";
import { converted, rateOf } from "./currency";
import type { BillValues } from "./values";

const RATE = { least: 0.000001, most: 1_000_000, decimals: 6, optional: true };

export function RateHelp({ onConverted }: { onConverted: () => void }) {
  const { t } = useTranslation("billing");
  const form = Form.useFormInstance<BillValues>();
  const [rate, setRate] = useState<Typed>(null);
  /**
   * The last rate that was used here. Prices filled in at this rate may be replaced at a new one.
   */
  const [last, setLast] = useState<number | null>(null);
  const { from, to, places } = Form.useWatch(
    ({ lines, currency }: Partial<BillValues>) => {
      const foreign = (lines ?? []).flatMap(({ price, listPrice, listCurrency }, place) =>
        listPrice !== null &&
        listCurrency !== currency &&
        (price === null ||
          (last !== null && price === converted(listPrice, listCurrency, currency ?? "", last)))
          ? [{ place, listCurrency }]
          : [],
      );
      // Convert the prices of one currency at a time.
      const of = foreign[0]?.listCurrency ?? "";
      return {
        from: of,
        to: currency ?? "",
        places: foreign.filter((one) => one.listCurrency === of).map(({ place }) => place),
      };
    },
    { form, preserve: true },
  );
  if (from === "" || to === "") return null;
  const { one, many } = rateOf(from, to);
  const valid = typeof rate === "number" && rate >= RATE.least && rate <= RATE.most;

  function fillIn() {
    if (!valid) return;
    for (const place of places) {
      const price: number = form.getFieldValue(["lines", place, "listPrice"]);
      form.setFieldValue(["lines", place, "price"], converted(price, from, to, rate));
    }
    setLast(rate);
    onConverted();
  }

  return (
    <div className="ob-row ob-note ob-below ob-rate" role="group" aria-label={t("rate.label")}>
      <span>{t("rate.needed", { count: places.length, from, to })}</span>
      <span className="ob-nowrap">1 {one} =</span>
      <NumberField
        rule={RATE}
        value={rate}
        onChange={setRate}
        suffix={many}
        aria-label={t("rate.of", { one, many })}
      />
      <Button disabled={!valid} onClick={fillIn}>
        {t("rate.fillIn", { count: places.length })}
      </Button>
    </div>
  );
}

/** How a field of a bill and its value are read, for what others changed. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
import { orNothing } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import type { BillValues, Field } from "./values";

export function useDescribe(): (field: Field, values: BillValues) => string {
  const { t } = useTranslation("bills");
  const language = useLanguage();
  return (field, values) => {
    switch (field) {
      case "customerId":
        return values.customerName;
      case "companyId":
        return values.companyName;
      case "shippingPrice":
        return formatMoney(orNothing(values.shippingPrice), values.currency, language);
      case "lines":
        return values.lines
          .map((line) =>
            t("lines.spoken", {
              place: t("lines.place", { po: line.customerSalesOrderId, position: line.position }),
              quantity: orNothing(line.quantity),
              price: formatMoney(orNothing(line.price), values.currency, language),
            }),
          )
          .join("; ");
      default:
        return values[field] ?? "";
    }
  };
}

/** How a field of a bill and its value are read, for what others changed. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
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
        return formatMoney(values.shippingPrice ?? 0, language);
      case "lines":
        return values.lines
          .map((line) =>
            t("lines.spoken", {
              place: t("lines.place", { po: line.customerSalesOrderId, position: line.position }),
              quantity: line.quantity ?? 0,
              price: formatMoney(line.price ?? 0, language),
            }),
          )
          .join("; ");
      default:
        return values[field] ?? "";
    }
  };
}

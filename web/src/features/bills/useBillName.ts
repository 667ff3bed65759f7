/** "Factura F-0004", or "Prefactura P-0004" of what has not become a bill. */
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";

export function useBillName(): (bill: Pick<Delivery, "number">) => string {
  const { t } = useTranslation("bills");
  return ({ number }) => t(number.startsWith("P-") ? "name.preBill" : "name.bill", { number });
}

/** "Bill 12", or "Pre-bill 7" while it has no number of its own. */
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";

export function useBillName(): (bill: Pick<Delivery, "id" | "number">) => string {
  const { t } = useTranslation("bills");
  return ({ id, number }) =>
    number === null ? t("name.preBill", { id }) : t("name.bill", { number });
}

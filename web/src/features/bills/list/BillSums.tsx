/** What the bills of the list come to, in each currency. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "@/shared/format/numbers";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { ListSum } from "@/shared/ui/ListSum";
import { useBillTotals, type BillFilter } from "../bills.api";

export function BillSums({ query }: { query: TableQuery<BillFilter> }) {
  const { t } = useTranslation("bills");
  const language = useLanguage();
  const { data = [] } = useBillTotals(query);
  return data.map((sums) => (
    <ListSum
      key={sums.currency}
      label={t("sums.billed")}
      sum={formatMoney(sums.total, sums.currency, language)}
      note={[
        t("sums.bills", { count: sums.bills }),
        sums.preBills > 0 &&
          t("sums.preBills", {
            count: sums.preBills,
            sum: formatMoney(sums.preBilled, sums.currency, language),
          }),
        sums.canceled > 0 && t("sums.canceled", { count: sums.canceled }),
      ]
        .filter(Boolean)
        .join(" · ")}
    />
  ));
}

/** What the list of bills is narrowed to beside its status; all of it stands in the address. */
import { useTranslation } from "react-i18next";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DaysFilter, OptionFilter } from "@/shared/ui/filters";
import type { BillFilter } from "../bills.api";

export function BillFilters({ query }: { query: TableQuery<BillFilter> }) {
  const { t } = useTranslation("bills");
  return (
    <>
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("field.customer")}
        placeholder={t("list.anyCustomer")}
      />
      <OptionFilter
        query={query}
        name="companyId"
        catalog="companies"
        label={t("field.company")}
        placeholder={t("list.anyCompany")}
      />
      <DaysFilter query={query} />
    </>
  );
}

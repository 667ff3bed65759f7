/** What the list of bills is narrowed to beside its status; all of it stands in the address. */
import { useTranslation } from "react-i18next";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DayField } from "@/shared/ui/DayField";
import type { BillFilter } from "../bills.api";

const ONE_OF = [
  ["customerId", "customers", "field.customer", "list.anyCustomer"],
  ["companyId", "companies", "field.company", "list.anyCompany"],
] as const;

export function BillFilters({ query }: { query: TableQuery<BillFilter> }) {
  const { t } = useTranslation("bills");
  const { filters, set } = query;
  return (
    <>
      {ONE_OF.map(([name, catalog, label, placeholder]) => (
        <OptionSelect
          key={name}
          className="ob-filter"
          catalog={catalog}
          allowClear
          label={t(label)}
          placeholder={t(placeholder)}
          value={filters[name] === undefined ? null : Number(filters[name])}
          onChange={(option) => set({ [name]: option === null ? "" : String(option.id) })}
        />
      ))}
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          aria-label={t(`list.${name}`)}
          placeholder={t(`list.${name}`)}
          value={filters[name] ?? null}
          onChange={(day) => set({ [name]: day ?? "" })}
        />
      ))}
    </>
  );
}

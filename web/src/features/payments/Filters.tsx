/** By whom, for whom, when: what both lists are narrowed to. All of it stands in the address. */
import { useTranslation } from "react-i18next";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DayField } from "@/shared/ui/DayField";

type Filter = "userId" | "customerId" | "productionProcessId" | "from" | "to";

interface Props<F extends string> {
  query: TableQuery<F>;
  /** Whom the person filter means. */
  personLabel: "pay.person" | "paid.payee";
  withProcess?: boolean;
}

export function PeriodAndPeople<F extends string>(props: Props<F>) {
  const { personLabel, withProcess = false } = props;
  const { t } = useTranslation("payments");
  const { filters, set } = props.query as unknown as TableQuery<Filter>;
  const choices = [
    ...(withProcess
      ? [["productionProcessId", "production-processes", t("filter.process")] as const]
      : []),
    ["userId", "users", t(personLabel)] as const,
    ["customerId", "customers", t("filter.customer")] as const,
  ];
  return (
    <>
      {choices.map(([name, catalog, label]) => (
        <OptionSelect
          key={name}
          className="ob-filter"
          catalog={catalog}
          allowClear
          label={label}
          placeholder={label}
          value={filters[name] === undefined ? null : Number(filters[name])}
          onChange={(option) => set({ [name]: option === null ? "" : String(option.id) })}
        />
      ))}
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          aria-label={t(`filter.${name}`)}
          placeholder={t(`filter.${name}`)}
          value={filters[name] ?? null}
          onChange={(day) => set({ [name]: day ?? "" })}
        />
      ))}
    </>
  );
}

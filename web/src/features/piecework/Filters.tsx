/**
 * Filters of both piecework lists: person, customer and days. All of them are kept in the page's
 * address.
 */
import { useTranslation } from "react-i18next";
import { DaysFilter, OptionFilter, type Narrowed } from "@/shared/form/filters";

interface Props {
  query: Narrowed<"userId" | "customerId" | "from" | "to">;
  /** Translation key of the person filter's label. */
  personLabel: "pay.person" | "paid.payee";
}

export function PeriodAndPeople({ query, personLabel }: Props) {
  const { t } = useTranslation("piecework");
  return (
    <>
      <OptionFilter query={query} name="userId" catalog="users" label={t(personLabel)} />
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("filter.customer")}
      />
      <DaysFilter query={query} />
    </>
  );
}

/** Filters of a list. Each stores its value in the list's address. */
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { OptionSelect } from "./OptionSelect";
import { Select } from "./Select";
import type { OptionCatalog } from "@/shared/hooks/useOptions";
import { useIsCustomer } from "@/shared/session/session";
import { DayField } from "./DayField";

/** The part of a `TableQuery` that filters of these names need. */
export interface Narrowed<N extends string> {
  filters: Partial<Record<N, string>>;
  set: (change: Partial<Record<N, string>>) => void;
}

/** Whether the user has just added this filter: then its list is open and has the focus. */
export const JustAdded = createContext(false);

function useJustAdded() {
  const isAdded = useContext(JustAdded);
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
  return isAdded ? { autoFocus: true, defaultOpen: true } : {};
}

interface FilterProps<N extends string> {
  query: Narrowed<N>;
  name: N;
  /** For screen readers. */
  label: string;
  /** Shown while nothing is chosen; by default the label. */
  placeholder?: string;
}

interface ChoiceProps<N extends string> extends FilterProps<N> {
  options: readonly { value: string; label: string }[];
}

export function ChoiceFilter<N extends string>(props: ChoiceProps<N>) {
  const { query, name, label, placeholder = label, options } = props;
  return (
    <Select
      {...useJustAdded()}
      className="ob-filter"
      allowClear
      showSearch={options.length > 10}
      aria-label={label}
      placeholder={placeholder}
      value={query.filters[name] ?? null}
      options={[...options]}
      onChange={(value: string | null | undefined) => change(query, name, value)}
    />
  );
}

interface OptionProps<N extends string> extends FilterProps<N> {
  catalog: OptionCatalog;
  /** The name of a value that the search does not offer. */
  valueName?: string | undefined;
}

/** A choice from a catalog. Renders nothing for customers' accounts, which may not read catalogs. */
export function OptionFilter<N extends string>(props: OptionProps<N>) {
  const { query, name, label, placeholder = label, catalog, valueName } = props;
  const value = query.filters[name];
  const added = useJustAdded();
  if (useIsCustomer()) return null;
  return (
    <OptionSelect
      {...added}
      className="ob-filter"
      catalog={catalog}
      allowClear
      label={label}
      placeholder={placeholder}
      value={value === undefined ? null : Number(value)}
      valueName={valueName}
      onChange={(option) => change(query, name, option && String(option.id))}
    />
  );
}

/** The first and the last day of a period, inclusive. */
export function DaysFilter({ query }: { query: Narrowed<"from" | "to"> }) {
  const { t } = useTranslation("shared");
  const added = useContext(JustAdded);
  return (["from", "to"] as const).map((name) => (
    <DayField
      key={name}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
      autoFocus={added && name === "from"}
      aria-label={t(`days.${name}`)}
      placeholder={t(`days.${name}`)}
      value={query.filters[name] ?? null}
      onChange={(day) => change(query, name, day)}
    />
  ));
}

function change<N extends string>(query: Narrowed<N>, name: N, value: string | null | undefined) {
  const changed: Partial<Record<string, string>> = { [name]: value ?? "" };
  query.set(changed as Partial<Record<N, string>>);
}

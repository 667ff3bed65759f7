/** A choice from a shared catalog: a country, a calling code, a unit. An unknown value stays, shown as its code. */
import { useTerms, type SharedCatalogKey } from "./useSharedCatalogs";
import { Select } from "./Select";

interface Props {
  terms: SharedCatalogKey;
  id?: string;
  value?: string;
  onChange?: (code: string) => void;
  /** Show the code before the name. */
  withCode?: boolean;
  label?: string;
  placeholder?: string;
  disabled?: boolean;
}

export function TermSelect({ terms, value, onChange, withCode = false, label, ...rest }: Props) {
  const known = useTerms(terms);
  const options = (known ?? []).map(({ code, name }) => ({
    value: code,
    label: withCode ? `${code} · ${name}` : name,
  }));
  if (value && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: value });
  }
  return (
    <Select
      {...rest}
      aria-label={label}
      allowClear
      loading={known === undefined}
      showSearch
      value={value ? value : null}
      options={options}
      onChange={(code: string | null | undefined) => onChange?.(code ?? "")}
    />
  );
}

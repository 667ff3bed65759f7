/** Several choices from a catalog that is short enough to offer whole: roles, processes, users. */
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { useOptions, type OptionCatalog } from "@/shared/hooks/useOptions";
import { Select } from "./Select";

const WHOLE = 200;

/** The first 200 options of a catalog, inactive ones included, so that chosen ones have a name. */
export function useWholeOptions(catalog: OptionCatalog): Option[] {
  return useOptions(catalog, { limit: WHOLE, inactive: true }).data ?? [];
}

/** The names of the options with these ids, in the order of `options`; then the unknown ids as `#id`. */
export function namesOf(options: readonly Option[], ids: readonly number[]): string {
  const known = options.filter(({ id }) => ids.includes(id));
  const unknown = ids.filter((id) => !known.some((option) => option.id === id));
  return [...known.map(({ name }) => name), ...unknown.map((id) => `#${id}`)].join(", ");
}

interface Props {
  catalog: OptionCatalog;
  id?: string;
  placeholder?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
  disabled?: boolean;
  /** The order counts: each choice shows its place. */
  numbered?: boolean;
  /** Returns why an option cannot be chosen; undefined if it can. */
  refused?: (id: number) => string | undefined;
}

interface Choice {
  value: number;
  label: string;
  disabled: boolean;
  title: string;
}

function withReason({ data }: { data: Choice }) {
  if (!data.disabled) return data.label;
  return (
    <>
      {data.label}
      <small className="ob-option__reason">{data.title}</small>
    </>
  );
}

export function OptionsSelect({ catalog, refused, numbered = false, value = [], ...rest }: Props) {
  const { t } = useTranslation("forms");
  const options = useWholeOptions(catalog);
  return (
    <Select<number[], Choice>
      {...rest}
      mode="multiple"
      value={value}
      showSearch
      options={options.map(({ id, name }) => {
        const reason = value.includes(id) ? undefined : refused?.(id);
        return { value: id, label: name, disabled: reason !== undefined, title: reason ?? name };
      })}
      labelRender={({ value: id, label }) => {
        const name = label ?? namesOf(options, [Number(id)]);
        return numbered ? `${value.indexOf(Number(id)) + 1}. ${name}` : name;
      }}
      optionRender={withReason}
      notFoundContent={<span className="ob-quiet">{t(`nothing.${catalog}`)}</span>}
    />
  );
}

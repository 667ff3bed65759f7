/** A choice from a catalog, searched on the server as the user types. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CATALOGS, type Option } from "@/contract";
import { nameKey } from "@/shared/format/folded";
import { usePaused } from "@/shared/hooks/browser";
import { useOptionName, useOptions, type OptionCatalog } from "@/shared/hooks/useOptions";
import { useSession } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { SmallCatalog } from "./NewEntry";
import { Select } from "./Select";

const NewEntry = lazyPart(() => import("./NewEntry"));

/** The value of the option that creates what was typed. No record has it. */
const CREATE = -1;

interface Props {
  catalog: OptionCatalog;
  id?: string;
  className?: string;
  /** For screen readers, if the field has no visible label. */
  label?: string;
  placeholder: string;
  value?: number | null;
  /** The name of `value`, if the page knows it; else it is loaded when the search does not offer it. */
  valueName?: string | undefined;
  onChange?: (option: Option | null) => void;
  onBlur?: () => void;
  allowClear?: boolean;
  autoFocus?: boolean;
  defaultOpen?: boolean;
  disabled?: boolean;
  nothing?: string;
  /** Offer to create a record with the typed name, if the user may and no option has it. */
  creates?: SmallCatalog;
}

export function OptionSelect({
  catalog,
  label,
  value = null,
  valueName,
  onChange,
  nothing,
  creates,
  allowClear = false,
  ...rest
}: Props) {
  const { t } = useTranslation("forms");
  const [search, setSearch] = useState("");
  const asked = usePaused(search.trim());
  const { data, isLoading } = useOptions(catalog, { search: asked });
  const isAnswered = asked === search.trim() && !isLoading;
  const offered = data ?? [];
  const [chosen, setChosen] = useState<Option | null>(null);
  const [missed, setMissed] = useState<string | null>(null);
  const mayCreate = useMayCreate(creates);
  const known = offered.find(({ id }) => id === value) ?? (chosen?.id === value ? chosen : null);
  const unknown = known === null && valueName === undefined && data !== undefined;
  const named = useOptionName(catalog, unknown ? value : null);
  const name = known?.name ?? valueName ?? named.data;
  const options = offered.map((option) => ({ value: option.id, label: option.name }));
  if (value !== null && search === "" && !options.some((option) => option.value === value)) {
    const unnamed = data === undefined || named.isLoading ? "…" : `#${value}`;
    options.unshift({ value, label: name ?? unnamed });
  }
  const typed = search.trim();
  const isNew = !offered.some((option) => nameKey(option.name) === nameKey(typed));
  if (mayCreate && isAnswered && typed !== "" && isNew) {
    options.push({ value: CREATE, label: t("create", { name: typed }) });
  }
  function choose(option: Option | null) {
    setChosen(option);
    setSearch("");
    onChange?.(option);
  }
  const select = (
    <Select
      {...rest}
      allowClear={allowClear}
      aria-label={label}
      showSearch={{ searchValue: search, onSearch: setSearch, isAnswered }}
      loading={isLoading}
      value={value}
      options={options}
      {...(name === undefined ? {} : { labelRender: () => name })}
      notFoundContent={
        <span className="ob-quiet">{isAnswered ? (nothing ?? t(`nothing.${catalog}`)) : "…"}</span>
      }
      onChange={(id: number | null | undefined) => {
        if (id === CREATE) setMissed(typed);
        else choose(offered.find((each) => each.id === id) ?? null);
      }}
    />
  );
  if (creates === undefined) return select;
  return (
    <>
      {select}
      {missed !== null && (
        <NewEntry catalog={creates} name={missed} onMade={choose} onClose={() => setMissed(null)} />
      )}
    </>
  );
}

function useMayCreate(catalog: SmallCatalog | undefined): boolean {
  const held = useSession()?.permissions ?? [];
  return catalog !== undefined && held.includes(CATALOGS[catalog].Create);
}

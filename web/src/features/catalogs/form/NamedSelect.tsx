/** A choice from one of the short lists that belong to customers: their types and tax sections. */
import Select from "antd/es/select";
import { useShortList } from "@/shared/hooks/useShortList";
import type { ShortListName } from "@/shared/http/keys";
import { useClear } from "@/shared/ui/useClear";

interface Props {
  list: ShortListName;
  id?: string;
  value?: number | null;
  onChange?: (id: number | null) => void;
  disabled?: boolean;
}

/** Offers active ones, and the one chosen before. */
export function NamedSelect({ list, value = null, onChange, ...rest }: Props) {
  const clear = useClear();
  const { rows, isLoading } = useShortList(list);
  return (
    <Select
      {...rest}
      allowClear={clear}
      loading={isLoading}
      showSearch={{ optionFilterProp: "label" }}
      value={value}
      options={rows
        .filter(({ id, active }) => active || id === value)
        .map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id: number | null | undefined) => onChange?.(id ?? null)}
    />
  );
}

/** The name that stands for an id of such a list. */
export function NamedText({ list, id }: { list: ShortListName; id: number | null }) {
  const { rows } = useShortList(list);
  return rows.find((row) => row.id === id)?.name ?? "";
}

/** A choice from one of the two lists that are only read: customer types and tax sections. */
import Select from "antd/es/select";
import useSWR from "swr";
import type { Option } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export type NamedList = "customer-types" | "tax-sections";

interface Props {
  list: NamedList;
  id?: string;
  value?: number | null;
  onChange?: (id: number | null) => void;
  disabled?: boolean;
}

export function useNamed(list: NamedList) {
  return useSWR<Option[], ApiError>(keys.named(list), () =>
    call(
      api.GET(list === "customer-types" ? "/api/customer-types" : "/api/tax-sections", {
        headers: QUIET,
      }),
    ),
  );
}

export function NamedSelect({ list, value = null, onChange, ...rest }: Props) {
  const { data, isLoading } = useNamed(list);
  return (
    <Select
      {...rest}
      allowClear
      loading={isLoading}
      showSearch={{ optionFilterProp: "label" }}
      value={value}
      options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id: number | null | undefined) => onChange?.(id ?? null)}
    />
  );
}

/** The name that stands for an id of such a list. */
export function NamedText({ list, id }: { list: NamedList; id: number | null }) {
  const { data } = useNamed(list);
  return data?.find((option) => option.id === id)?.name ?? "";
}

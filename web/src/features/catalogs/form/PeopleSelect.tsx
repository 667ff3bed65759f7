/** Choose the users of a production process. */
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { useOptions } from "@/shared/hooks/useOptions";

/** The server's maximum page size. No workshop has more users. */
const EVERYBODY = 200;

interface Props {
  id?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
  disabled?: boolean;
}

export function PeopleSelect({ value = [], onChange, ...rest }: Props) {
  const { t } = useTranslation("catalogs");
  const { data, isLoading } = useOptions("users", { limit: EVERYBODY });
  return (
    <Select
      {...rest}
      mode="multiple"
      allowClear
      loading={isLoading}
      placeholder={t("form.choosePeople")}
      showSearch
      value={value}
      options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(ids: number[]) => onChange?.(ids)}
    />
  );
}

const NAMED = 3;

/**
 * Show the number of users, or their names if there are at most three. Three names take two lines,
 * so their height is reserved while they load.
 */
export function PeopleCount({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation("catalogs");
  const { data } = useOptions("users", { limit: EVERYBODY });
  const names = ids.flatMap((id) => data?.find((person) => person.id === id)?.name ?? []);
  return (
    <span
      className={`ob-two-rows ob-catalog__text ${ids.length === NAMED ? "ob-catalog__people" : ""}`}
    >
      {names.length === ids.length && ids.length > 0 && ids.length <= NAMED
        ? names.join(", ")
        : t("people", { count: ids.length })}
    </span>
  );
}

/** The people of a production process, any number of them. */
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { useOptions } from "@/shared/hooks/useOptions";

/** A works has fewer people than the most rows an answer may hold. */
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

/** How many people, and who they are where they are few. As many as are named take two lines, known or not yet. */
export function PeopleCount({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation("catalogs");
  const { data } = useOptions("users", { limit: EVERYBODY });
  const names = ids.flatMap((id) => data?.find((person) => person.id === id)?.name ?? []);
  return (
    <span className={`ob-catalog__text ${ids.length === NAMED ? "ob-catalog__people" : ""}`}>
      {names.length === ids.length && ids.length > 0 && ids.length <= NAMED
        ? names.join(", ")
        : t("people", { count: ids.length })}
    </span>
  );
}

/** Choose an entry of another catalog in a catalog's form. The value is its id. */
import { useTranslation } from "react-i18next";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { OptionCatalog } from "@/shared/hooks/useOptions";

interface Props {
  catalog: OptionCatalog;
  id?: string;
  value?: number | null;
  onChange?: (id: number | null) => void;
  disabled?: boolean;
}

export function EntrySelect({ onChange, ...rest }: Props) {
  const { t } = useTranslation("catalogs");
  return (
    <OptionSelect
      {...rest}
      allowClear
      placeholder={t("form.searchName")}
      onChange={(option) => onChange?.(option?.id ?? null)}
    />
  );
}

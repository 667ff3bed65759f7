/** Search and filters above a list; on a phone a button shows the filters. */
import Button from "antd/es/button";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNarrow } from "@/shared/hooks/browser";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { SearchField } from "./SearchField";
import "./ui.css";

interface Props {
  query: Pick<TableQuery, "search" | "filters" | "set" | "clear" | "isFiltered">;
  /** The fields that the search covers. */
  searchLabel: string;
  /** Selects and day fields with the class `ob-filter`. */
  filters?: ReactNode;
}

export function Toolbar({ query, searchLabel, filters }: Props) {
  const { t } = useTranslation(["forms", "shared"]);
  const narrow = useNarrow();
  const count = Object.keys(query.filters).length;
  const [open, setOpen] = useState(count > 0);
  return (
    <div className="ob-toolbar" role="search" aria-label={t("list.filters")}>
      <SearchField
        value={query.search}
        label={searchLabel}
        onSearch={(search) => query.set({ search })}
      />
      {narrow && filters !== undefined && (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("list.narrow")}
          {count > 0 && ` · ${count}`}
        </Button>
      )}
      {(open || !narrow) && filters}
      {query.isFiltered && (
        <Button type="link" onClick={query.clear}>
          {t("shared:action.clearFilters")}
        </Button>
      )}
    </div>
  );
}

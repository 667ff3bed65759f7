/** Filter the audit by kind of record, record, user, action and days. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/contract";
import { Select } from "@/shared/form/Select";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/form/filters";
import { ACTIONS, ENTITIES, type AuditFilter } from "./audit.api";
import type { Reading } from "./useReading";

interface Props {
  query: TableQuery<AuditFilter>;
  reading: Reading;
  rows: AuditEntry[] | undefined;
}

export function AuditFilters({ query, reading, rows }: Props) {
  const { t } = useTranslation("audit");
  const { entity, entityId, userId } = query.filters;
  return (
    <>
      <Select
        className="ob-filter"
        allowClear
        aria-label={t("column.what")}
        placeholder={t("anyEntity")}
        value={entity ?? null}
        options={ENTITIES.map((value) => ({ value, label: reading.entity(value) }))}
        onChange={(value: string | null | undefined) =>
          query.set({ entity: value ?? "", entityId: "" })
        }
      />
      <OptionFilter
        query={query}
        name="userId"
        catalog="users"
        label={t("column.who")}
        placeholder={t("anyPerson")}
        valueName={rows?.find((row) => String(row.userId) === userId)?.userName}
      />
      <ChoiceFilter
        query={query}
        name="action"
        label={t("column.action")}
        placeholder={t("anyAction")}
        options={ACTIONS.map((value) => ({ value, label: reading.action(value) }))}
      />
      <DaysFilter query={query} />
      {entityId !== undefined && (
        <Button onClick={() => query.set({ entityId: "" })} aria-label={t("everyRecord")}>
          {t("oneRecord", {
            name: rows?.find((row) => String(row.entityId) === entityId)?.label ?? `#${entityId}`,
          })}{" "}
          <span aria-hidden>×</span>
        </Button>
      )}
    </>
  );
}

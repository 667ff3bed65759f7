/** The audit by kind of record, one record, person, action and days. */
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DayField } from "@/shared/ui/DayField";
import { ACTIONS, ENTITIES, type AuditFilter } from "./audit.api";
import type { Reading } from "./useReading";

interface Props {
  query: TableQuery<AuditFilter>;
  reading: Reading;
  rows: AuditEntry[] | undefined;
}

export function AuditFilters({ query, reading, rows }: Props) {
  const { t } = useTranslation("audit");
  const { entity, entityId, userId, action, from, to } = query.filters;
  const person = rows?.find((row) => String(row.userId) === userId)?.userName;
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
      <OptionSelect
        className="ob-filter"
        catalog="users"
        allowClear
        label={t("column.who")}
        placeholder={t("anyPerson")}
        value={userId === undefined ? null : Number(userId)}
        valueName={person}
        onChange={(option) => query.set({ userId: option === null ? "" : String(option.id) })}
      />
      <Select
        className="ob-filter"
        allowClear
        aria-label={t("column.action")}
        placeholder={t("anyAction")}
        value={action ?? null}
        options={ACTIONS.map((value) => ({ value, label: reading.action(value) }))}
        onChange={(value: string | null | undefined) => query.set({ action: value ?? "" })}
      />
      <DayField
        aria-label={t("from")}
        placeholder={t("from")}
        value={from ?? null}
        onChange={(day) => query.set({ from: day ?? "" })}
      />
      <DayField
        aria-label={t("to")}
        placeholder={t("to")}
        value={to ?? null}
        onChange={(day) => query.set({ to: day ?? "" })}
      />
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

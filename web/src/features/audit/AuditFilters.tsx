/** Filter the audit by kind of record, record, user, action and days. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/contract";
import { GrowingFilters } from "@/shared/form/GrowingFilters";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { choicePart, daysPart, optionPart } from "@/shared/form/filterParts";
import { ACTIONS, ENTITIES, type AuditFilter } from "./audit.api";
import type { Reading } from "./useReading";

interface Props {
  query: TableQuery<AuditFilter>;
  reading: Reading;
  rows: AuditEntry[] | undefined;
}

export function AuditFilters({ query, reading, rows }: Props) {
  const { t } = useTranslation(["audit", "shared"]);
  const { entity, entityId, userId } = query.filters;
  const asChoice = {
    filters: entity === undefined ? {} : { entity },
    set: (change: { entity?: string }) => query.set({ ...change, entityId: "" }),
  };
  const parts = [
    choicePart({
      query: asChoice,
      name: "entity",
      label: t("column.what"),
      placeholder: t("anyEntity"),
      options: ENTITIES.map((value) => ({ value, label: reading.entity(value) })),
    }),
    optionPart({
      query,
      name: "userId",
      catalog: "users",
      label: t("column.who"),
      placeholder: t("anyPerson"),
      valueName: rows?.find((row) => String(row.userId) === userId)?.userName,
    }),
    choicePart({
      query,
      name: "action",
      label: t("column.action"),
      placeholder: t("anyAction"),
      options: ACTIONS.map((value) => ({ value, label: reading.action(value) })),
    }),
    daysPart({ query }, t("shared:days.label")),
  ];
  return (
    <>
      <GrowingFilters query={query} parts={parts} />
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

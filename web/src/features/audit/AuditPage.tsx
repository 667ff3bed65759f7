/** List who changed what, when and from which address. Filters are kept in the page's address. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AuditEntry } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { listAsFile } from "@/shared/http/download";
import { Chip, type Tone } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { ListPage } from "@/shared/ui/ListPage";
import { AUDIT_FILTERS, recordPath, useAudit } from "./audit.api";
import { AuditFilters } from "./AuditFilters";
import { Changes } from "./Changes";
import { useReading, type Reading } from "./useReading";
import "./audit.css";

const TONES: Partial<Record<string, Tone>> = {
  created: "good",
  deleted: "bad",
  password: "warning",
};

export default function AuditPage() {
  const { t } = useTranslation(["audit", "shared"]);
  const query = useTableQuery(AUDIT_FILTERS);
  const list = useAudit(query);
  const reading = useReading();
  const columns = useMemo<Columns<AuditEntry>>(
    () => [
      {
        key: "at",
        title: t("column.at"),
        sorter: true,
        render: (_, { at }) => <span className="ob-nowrap">{formatInstant(at)}</span>,
      },
      { key: "who", title: t("column.who"), render: (_, entry) => <Who entry={entry} /> },
      {
        key: "what",
        title: t("column.what"),
        render: (_, entry) => <What entry={entry} reading={reading} />,
      },
      {
        key: "action",
        title: t("column.action"),
        render: (_, { action }) => (
          <Chip tone={TONES[action] ?? "quiet"}>{reading.action(action)}</Chip>
        ),
      },
      {
        key: "changes",
        title: t("column.changes"),
        render: (_, entry) => <Changes entry={entry} reading={reading} />,
      },
    ],
    [t, reading],
  );
  return (
    <ListPage<AuditEntry>
      title={t("title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("search")}
      filters={<AuditFilters query={query} reading={reading} rows={list.rows} />}
      file={{
        name: "audit",
        ask: (format) => listAsFile("/api/audit", query.server, format),
      }}
      emptyTitle={t("empty")}
      renderCard={(entry) => (
        <div className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <span className="ob-nowrap">{formatInstant(entry.at)}</span>
            <Chip tone={TONES[entry.action] ?? "quiet"}>{reading.action(entry.action)}</Chip>
          </span>
          <What entry={entry} reading={reading} />
          <Who entry={entry} />
          <Changes entry={entry} reading={reading} />
        </div>
      )}
    />
  );
}

function Who({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("audit");
  return (
    <span className="ob-stack ob-stack--tight ob-audit__who">
      {entry.userName === "" ? t("nobody") : entry.userName}
      {entry.address !== "" && <small className="ob-quiet">{entry.address}</small>}
    </span>
  );
}

function What({ entry, reading }: { entry: AuditEntry; reading: Reading }) {
  const path = recordPath(entry);
  const name = entry.label === "" ? `#${entry.entityId}` : entry.label;
  return (
    <span className="ob-stack ob-stack--tight ob-audit__what">
      <small className="ob-quiet">{reading.entity(entry.entity)}</small>
      {path === undefined ? <span>{name}</span> : <Link to={path}>{name}</Link>}
    </span>
  );
}

/** List the permissions by group, in both languages, each with the roles that hold it. */
import Skeleton from "antd/es/skeleton";
import Table from "antd/es/table";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PermissionRow, Role } from "@/contract";
import { useHand } from "@/shared/hooks/browser";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useMay } from "@/shared/session/session";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { Toolbar } from "@/shared/ui/Toolbar";
import { useEveryRole, usePermissions } from "./administration.api";
import { branches } from "./roles/tree";
import "./administration.css";
import "@/shared/ui/DataTable.css";

export default function PermissionsPage() {
  const { t } = useTranslation(["administration", "shared"]);
  const query = useTableQuery();
  const { data: permissions, error, mutate } = usePermissions();
  const mayListRoles = useMay("ListRoles");
  const { data: roles, error: withoutRoles } = useEveryRole(mayListRoles);
  // Wait for the roles before rendering: adding their column later would move every row.
  const whole = !mayListRoles || roles !== undefined || withoutRoles !== undefined;
  const data = whole ? permissions : undefined;
  const found = branches(data ?? [], query.search);
  return (
    <div className="ob-page">
      <PageTitle title={t("permission.title")} note={t("permission.note")} />
      <Toolbar query={query} searchLabel={t("permission.search")} />
      {error !== undefined && data === undefined && (
        <div className="ob-surface">
          <LoadFailed error={error} onRetry={() => void mutate()} />
        </div>
      )}
      {data === undefined && error === undefined && (
        <div className="ob-surface ob-table__waiting" aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 8, width: "100%" }} />
        </div>
      )}
      {data !== undefined && found.length === 0 && (
        <div className="ob-surface">
          <EmptyState
            drawing="loupe"
            title={t("shared:table.noMatch")}
            hint={t("shared:table.noMatchHint")}
          />
        </div>
      )}
      {found.map(({ group, rows }) => (
        <section
          key={group}
          className="ob-surface ob-table ob-permissions__section"
          aria-labelledby={`permissions-${group}`}
        >
          <h2 id={`permissions-${group}`}>{t(`group.${group}`)}</h2>
          <PermissionRows rows={rows} roles={roles} />
        </section>
      ))}
    </div>
  );
}

function PermissionRows({ rows, roles }: { rows: PermissionRow[]; roles: Role[] | undefined }) {
  const { t } = useTranslation("administration");
  const holding = (row: PermissionRow) => <Holding row={row} roles={roles} />;
  if (useHand()) {
    return (
      <ul className="ob-ruled">
        {rows.map((row) => (
          <li key={row.action} className="ob-stack ob-stack--tight ob-card">
            <strong>{row.descriptionEs}</strong>
            <span lang="en">{row.descriptionEn}</span>
            <span className="ob-quiet ob-breaks">{row.action}</span>
            {holding(row)}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table<PermissionRow>
      rowKey="action"
      size="small"
      pagination={false}
      tableLayout="fixed"
      dataSource={rows}
      columns={[
        {
          key: "action",
          title: t("permission.action"),
          dataIndex: "action",
          width: "26%",
        },
        {
          key: "es",
          title: t("permission.es"),
          width: "26%",
          render: (_, { descriptionEs }) => <span lang="es">{descriptionEs}</span>,
        },
        {
          key: "en",
          title: t("permission.en"),
          width: "26%",
          render: (_, { descriptionEn }) => <span lang="en">{descriptionEn}</span>,
        },
        ...(roles === undefined
          ? []
          : [
              {
                key: "roles",
                title: t("permission.roles"),
                render: (_: unknown, row: PermissionRow) => holding(row),
              },
            ]),
      ]}
    />
  );
}

function Holding({ row, roles }: { row: PermissionRow; roles: Role[] | undefined }) {
  const { t } = useTranslation("administration");
  if (roles === undefined) return null;
  const holders = roles.filter(({ permissions }) => permissions.includes(row.action));
  if (holders.length === 0) return <span className="ob-quiet">{t("permission.noRole")}</span>;
  return (
    <span className="ob-admin__roles">
      {holders.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to={`/administration/roles?record=${id}`}>{name}</Link>
        </span>
      ))}
    </span>
  );
}

/** List the roles with the number of their permissions and users. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Role } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useAddress, useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import type { Columns } from "@/shared/ui/DataTable";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { RecordGone } from "@/shared/ui/states";
import { useRole, useRoles } from "./administration.api";
import { StarterRoles } from "./roles/Templates";
import { COPIED } from "./roles/tree";

const RoleDrawer = lazyPart(() => import("./roles/RoleDrawer"));

export default function RolesPage() {
  const { t } = useTranslation(["administration", "forms"]);
  const language = useLanguage();
  const query = useTableQuery();
  const list = useRoles(query);
  const { opened, open } = useOpenRecord();
  const [address, change] = useAddress();
  const copied = Number(address.get(COPIED));
  const close = () =>
    change((next) => {
      next.delete("record");
      next.delete(COPIED);
    });
  const mayCreate = useMay("CreateRole");
  const isNew = mayCreate && list.rows !== undefined && list.total <= 1 && !query.isFiltered;
  const columns = useMemo<Columns<Role>>(
    () => [
      {
        key: "name",
        title: t("role.field.name"),
        sorter: true,
        render: (_, role) => <RecordLink id={role.id}>{role.name}</RecordLink>,
      },
      { key: "description", title: t("role.field.description"), dataIndex: "description" },
      {
        key: "permissions",
        title: t("role.field.permissions"),
        align: "right",
        render: (_, { permissions }) =>
          permissions.length === 0 ? (
            <span className="ob-wrong">{t("role.none")}</span>
          ) : (
            formatNumber(permissions.length, language)
          ),
      },
      {
        key: "usersCount",
        title: t("role.column.users"),
        align: "right",
        render: (_, { usersCount }) => formatNumber(usersCount, language),
      },
    ],
    [t, language],
  );
  return (
    <ListPage<Role>
      title={t("role.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("role.search")}
      add={mayCreate ? { label: t("role.add"), onClick: () => open("new") } : undefined}
      above={isNew && <StarterRoles />}
      emptyTitle={t("role.empty")}
      onOpen={({ id }) => open(id)}
      renderCard={(role) => (
        <RecordLink id={role.id} className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <strong>{role.name}</strong>
            <span className="ob-quiet">{t("role.users", { count: role.usersCount })}</span>
          </span>
          <span>{role.description}</span>
          <span className="ob-quiet">
            {role.permissions.length === 0
              ? t("role.none")
              : t("role.chosen", { count: role.permissions.length })}
          </span>
        </RecordLink>
      )}
    >
      {opened === "new" && mayCreate && copied === 0 && <RoleDrawer onClose={close} />}
      {opened === "new" && mayCreate && copied > 0 && <CopiedRole id={copied} onClose={close} />}
      {typeof opened === "number" && <OpenRole key={opened} id={opened} onClose={close} />}
    </ListPage>
  );
}

function CopiedRole({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useRole(id);
  if (data !== undefined) return <RoleDrawer copied={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

function OpenRole({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useRole(id);
  if (data !== undefined) return <RoleDrawer role={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

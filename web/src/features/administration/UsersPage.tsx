/** List the users with their roles and state. */
import Button from "antd/es/button";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { User } from "@/contract";
import { importPath } from "@/shared/catalogPaths";
import { namesOf, useWholeOptions } from "@/shared/form/OptionsSelect";
import { Select } from "@/shared/form/Select";
import { useAddress, useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { listAsFile } from "@/shared/http/download";
import { useMay } from "@/shared/session/session";
import { Chip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { ChoiceFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { RecordGone } from "@/shared/ui/states";
import { keysOf } from "@/shared/keysOf";
import { USER_FILTERS, useUser, useUsers, type UserFilter } from "./administration.api";
import { ERASE, STATION } from "./users/values";
import "./administration.css";

const UserDrawer = lazyPart(() => import("./users/UserDrawer"));
const StationAccess = lazyPart(() => import("./users/StationAccess"));
const EraseDialog = lazyPart(() => import("./users/EraseDialog"));

export default function UsersPage() {
  const { t } = useTranslation(["administration", "forms"]);
  const navigate = useNavigate();
  const query = useTableQuery(USER_FILTERS);
  const list = useUsers(query);
  const { opened, open, close } = useOpenRecord();
  const [mayCreate, mayUpdate] = [useMay("CreateUser"), useMay("UpdateUser")];
  const [address, change] = useAddress();
  const named = Number(address.get(STATION));
  const mayErase = useMay("ManagePersonalData");
  const toErase = Number(address.get(ERASE));
  const roles = useWholeOptions("roles");
  const columns = useMemo<Columns<User>>(
    () => [
      {
        key: "firstName",
        title: t("user.column.name"),
        sorter: true,
        render: (_, user) => <RecordLink id={user.id}>{user.fullName}</RecordLink>,
      },
      {
        key: "email",
        title: t("user.field.email"),
        sorter: true,
        render: (_, { email }) => <span className="ob-cell-name">{email ?? t("forms:none")}</span>,
      },
      {
        key: "roles",
        title: t("user.field.roleIds"),
        render: (_, { roleIds }) => (
          <span className="ob-admin__roles">{namesOf(roles, roleIds)}</span>
        ),
      },
      {
        key: "userType",
        title: t("user.field.userType"),
        render: (_, { userType }) => t(`user.type.${userType as "Internal" | "Customer"}`),
      },
      {
        key: "active",
        title: t("user.column.state"),
        render: (_, user) => <UserState {...user} />,
      },
      {
        key: "station",
        title: t("user.station.column"),
        render: (_, user) => <NamedBy {...user} />,
      },
    ],
    [t, roles],
  );
  return (
    <ListPage<User>
      title={t("user.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("user.search")}
      filters={<UserFilters query={query} />}
      add={mayCreate ? { label: t("user.add"), onClick: () => open("new") } : undefined}
      seldom={
        mayCreate ? (
          <Button onClick={() => void navigate(importPath("users"))}>{t("user.import")}</Button>
        ) : undefined
      }
      file={{
        name: "users",
        ask: (format) => listAsFile("/identity/users", query.server, format),
      }}
      emptyTitle={t("user.empty")}
      onOpen={({ id }) => open(id)}
      renderCard={(user) => (
        <RecordLink id={user.id} className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <strong>{user.fullName}</strong>
            <UserState {...user} />
          </span>
          <span className="ob-words ob-apart">
            <span className="ob-breaks">{user.email}</span>
            <NamedBy {...user} />
          </span>
          <span className="ob-quiet">{namesOf(roles, user.roleIds)}</span>
        </RecordLink>
      )}
    >
      {opened === "new" && mayCreate && <UserDrawer onClose={close} />}
      {typeof opened === "number" && <OpenUser key={opened} id={opened} onClose={close} />}
      {named > 0 && mayUpdate && (
        <OpenAccess key={named} id={named} onClose={() => change((next) => next.delete(STATION))} />
      )}
      {toErase > 0 && mayErase && (
        <OpenErasure id={toErase} onClose={() => change((next) => next.delete(ERASE))} />
      )}
    </ListPage>
  );
}

function OpenUser({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useUser(id);
  if (data !== undefined) return <UserDrawer user={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

function OpenAccess({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useUser(id);
  if (data !== undefined) return <StationAccess user={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

function OpenErasure({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useUser(id);
  if (data !== undefined) return <EraseDialog user={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

const STATES = {
  active: { active: "true", locked: "false" },
  inactive: { active: "false", locked: "" },
  locked: { active: "", locked: "true" },
} as const;
type State = keyof typeof STATES;

function UserFilters({ query }: { query: TableQuery<UserFilter> }) {
  const { t } = useTranslation("administration");
  const { active, locked } = query.filters;
  const roles = useWholeOptions("roles");
  const state: State | null =
    active === "true" ? "active" : locked === "true" ? "locked" : active ? "inactive" : null;
  return (
    <>
      <Select
        className="ob-filter"
        allowClear
        aria-label={t("user.column.state")}
        placeholder={t("user.anyState")}
        value={state}
        options={keysOf(STATES).map((value) => ({
          value,
          label: t(`user.state.${value}`),
        }))}
        onChange={(value: State | null | undefined) =>
          query.set(value ? STATES[value] : { active: "", locked: "" })
        }
      />
      <ChoiceFilter
        query={query}
        name="roleId"
        label={t("user.role")}
        placeholder={t("user.anyRole")}
        options={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <ChoiceFilter
        query={query}
        name="userType"
        label={t("user.field.userType")}
        placeholder={t("user.anyType")}
        options={(["Internal", "Customer"] as const).map((value) => ({
          value,
          label: t(`user.type.${value}`),
        }))}
      />
    </>
  );
}

/** How the user identifies themselves at a station: by PIN, by badge, by both or not at all. */
function NamedBy({ hasPin, hasBadge }: Pick<User, "hasPin" | "hasBadge">) {
  const { t } = useTranslation("administration");
  const named = [hasPin && t("user.station.pin"), hasBadge && t("user.station.badge")];
  return <span className="ob-quiet">{named.filter(Boolean).join(" · ")}</span>;
}

const TONES = { active: "good", inactive: "quiet", locked: "bad", erased: "quiet" } as const;

function UserState({ active, locked, erased }: Pick<User, "active" | "locked" | "erased">) {
  const { t } = useTranslation("administration");
  const state = erased ? "erased" : !active ? "inactive" : locked ? "locked" : "active";
  return <Chip tone={TONES[state]}>{t(`user.state.${state}`)}</Chip>;
}

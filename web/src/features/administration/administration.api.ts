import useSWR from "swr";
import type { Permission, PermissionRow, Role, RoleIn, User, UserIn } from "@/contract";
import type { RecordCalls } from "@/shared/form/RecordDrawer";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { load, useAnswer, useList } from "@/shared/http/data";
import { useMay, useSignedIn } from "@/shared/session/session";

export const USER_FILTERS = ["active", "locked", "userType", "roleId"] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

/** The server's maximum page size. No workshop has more roles. */
const EVERY = 200;

const user = (id: number) => ({ path: { user_id: id } });
const role = (id: number) => ({ path: { role_id: id } });

export const USER_CALLS: RecordCalls<User, UserIn> = {
  load: (id) => load("/identity/users/{user_id}", user(id)),
  create: (headers, body) => call(api.POST("/identity/users", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/identity/users/{user_id}", { params: user(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/identity/users/{user_id}", { params: user(id), headers })),
};

type Headers = { "Idempotency-Key": string };

/** Set the PIN; null removes it. */
export const changePin = (headers: Headers, id: number, pin: string | null) =>
  call(api.PUT("/identity/users/{user_id}/pin", { params: user(id), body: { pin }, headers }));
/** Create a badge. Only this answer contains its code. */
export const makeBadge = (headers: Headers, id: number) =>
  call(api.POST("/identity/users/{user_id}/badge", { params: user(id), headers }));
export const removeBadge = (headers: Headers, id: number) =>
  call(api.DELETE("/identity/users/{user_id}/badge", { params: user(id), headers }));

/** Everything stored about a person, as a file. */
export const personalData = (id: number) =>
  api.GET("/identity/users/{user_id}/personal-data", { params: user(id), parseAs: "blob" });
/** Erase a person permanently. `name`: their full name, as the user typed it. */
export const erasePerson = (headers: Headers, id: number, name: string) =>
  call(api.POST("/identity/users/{user_id}/erase", { params: user(id), body: { name }, headers }));

export const ROLE_CALLS: RecordCalls<Role, RoleIn> = {
  load: (id) => load("/identity/roles/{role_id}", role(id)),
  create: (headers, body) => call(api.POST("/identity/roles", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/identity/roles/{role_id}", { params: role(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/identity/roles/{role_id}", { params: role(id), headers })),
};

export function useUsers(query: TableQuery<UserFilter>) {
  return useList<"/identity/users", User>("/identity/users", { query: query.server }, query);
}

export function useUser(id: number) {
  return useAnswer("/identity/users/{user_id}", user(id));
}

export function useRoles(query: TableQuery) {
  return useList<"/identity/roles", Role>("/identity/roles", { query: query.server }, query);
}

export function useRole(id: number) {
  return useAnswer("/identity/roles/{role_id}", role(id));
}

/** Every role with its permissions. Sends no request unless `allowed`. */
export function useEveryRole(allowed: boolean) {
  const asked = allowed ? { query: { limit: EVERY } } : null;
  return useAnswer<"/identity/roles", Role[]>("/identity/roles", asked);
}

/** The roles of a usual workshop. Sends no request unless `allowed`. */
export function useRoleTemplates(allowed: boolean) {
  return useAnswer("/identity/roles/templates", allowed ? {} : null, { quiet: true });
}

/** Every permission. Sends no request unless `allowed`. */
export function usePermissions(allowed: boolean = true) {
  return useAnswer("/identity/permissions", allowed ? {} : null);
}

/**
 * The permissions that a user holds, with descriptions; for users who may not list every
 * permission. Sends no request if `subjectId` is null.
 */
export function useHeldPermissions(subjectId: number | null) {
  return useSWR<PermissionRow[], ApiError>(
    subjectId === null ? null : `permissions of ${subjectId}`,
    () =>
      call(api.POST("/identity/permissions/describe", { body: { subjectId: String(subjectId) } })),
  );
}

/**
 * Return all permissions if the user may list them, else the permissions that they hold. They
 * cannot give any others.
 */
export function useKnownPermissions(): PermissionRow[] | undefined {
  const mayList = useMay("ListPermissions");
  const me = useSignedIn().user.id;
  const all = usePermissions(mayList);
  const held = useHeldPermissions(mayList ? null : me);
  return mayList ? all.data : held.data;
}

export type { Permission };

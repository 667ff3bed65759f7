/** Users, roles and permissions: REST of specification 1, section 7, as hooks and calls. */
import useSWR from "swr";
import type { Permission, PermissionRow, Role, RoleIn, User, UserIn } from "@/contract";
import type { RecordCalls } from "@/shared/form/RecordDrawer";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders, type Loaded } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export const USER_FILTERS = ["active", "locked", "userType", "roleId"] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

/** More roles than any workshop has: the server's own limit of a list. */
const EVERY = 200;

const user = (id: number) => ({ path: { user_id: id } });
const role = (id: number) => ({ path: { role_id: id } });

export const USER_CALLS: RecordCalls<User, UserIn> = {
  load: (id) => call(api.GET("/identity/users/{user_id}", { params: user(id) })),
  create: (headers, body) => call(api.POST("/identity/users", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/identity/users/{user_id}", { params: user(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/identity/users/{user_id}", { params: user(id), headers })),
};

export const ROLE_CALLS: RecordCalls<Role, RoleIn> = {
  load: (id) => call(api.GET("/identity/roles/{role_id}", { params: role(id) })),
  create: (headers, body) => call(api.POST("/identity/roles", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/identity/roles/{role_id}", { params: role(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/identity/roles/{role_id}", { params: role(id), headers })),
};

export function useUsers(query: TableQuery<UserFilter>) {
  const key = keys.list("users", query.server);
  return useCursorList<User>(
    key,
    query,
    (page) =>
      callWithHeaders(
        api.GET("/identity/users", {
          params: { query: { ...query.server, ...page } },
        }),
      ) as Promise<Loaded<User[]>>,
  );
}

export function useRoles(query: TableQuery) {
  const key = keys.list("roles", query.server);
  return useCursorList<Role>(
    key,
    query,
    (page) =>
      callWithHeaders(
        api.GET("/identity/roles", {
          params: { query: { ...query.server, ...page } },
        }),
      ) as Promise<Loaded<Role[]>>,
  );
}

/** Every role with its permissions; asked for only by who may see roles. */
export function useEveryRole(allowed: boolean) {
  const query = { limit: EVERY } as const;
  const key = allowed ? keys.list("roles", query) : null;
  return useSWR<Role[], ApiError>(
    key,
    () => call(api.GET("/identity/roles", { params: { query } })) as Promise<Role[]>,
  );
}

/** Every permission there is; asked for only by who may see them. */
export function usePermissions(allowed: boolean = true) {
  return useSWR<PermissionRow[], ApiError>(allowed ? keys.permissions() : null, () =>
    call(api.GET("/identity/permissions")),
  );
}

/** What one person holds, with the words for it: what is shown to who may not see the whole table. */
export function useHeldPermissions(subjectId: number | null) {
  return useSWR<PermissionRow[], ApiError>(
    subjectId === null ? null : [...keys.permissions(), subjectId],
    () =>
      call(api.POST("/identity/permissions/describe", { body: { subjectId: String(subjectId) } })),
  );
}

export type { Permission };

/** Load a user and their current permissions. */
import type { Permission, User } from "@/contract";
import { api, call } from "./client";

/** `headers`: the token, if the session is not stored yet. Throws ApiError. */
export async function loadPermissions(
  subjectId: string,
  headers: Record<string, string> = {},
): Promise<Permission[]> {
  const described = await call(
    api.POST("/identity/permissions/describe", { body: { subjectId }, headers }),
  );
  return described.map(({ action }) => action as Permission);
}

export function loadUser(userId: number, headers: Record<string, string> = {}): Promise<User> {
  const path = { user_id: userId };
  return call(api.GET("/identity/users/{user_id}", { params: { path }, headers }));
}

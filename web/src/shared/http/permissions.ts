/** The permissions a person holds, as the server says now. */
import type { Permission } from "@/contract";
import { api, call } from "./client";

/** `headers` carries the token of a session that is only beginning. */
export async function loadPermissions(
  subjectId: string,
  headers: Record<string, string> = {},
): Promise<Permission[]> {
  const described = await call(
    api.POST("/identity/permissions/describe", { body: { subjectId }, headers }),
  );
  return described.map(({ action }) => action as Permission);
}

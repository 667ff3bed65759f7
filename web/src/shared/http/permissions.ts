/** Load a user. */
import type { User } from "@/contract";
import { api, call } from "./client";

/** `headers`: the token, if the session is not stored yet. Throws ApiError. */
export function loadUser(userId: number, headers: Record<string, string> = {}): Promise<User> {
  const path = { user_id: userId };
  return call(api.GET("/identity/users/{user_id}", { params: { path }, headers }));
}

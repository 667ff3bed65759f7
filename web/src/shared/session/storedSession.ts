/** The session as local storage holds it. The page reads it before its code is loaded, so this module loads little. */
import type { Permission, User } from "@/contract";
import { setPlantCurrency, setPlantZone, today } from "@/shared/format/plant";
import { ofBrowser, parseStored } from "@/shared/stored";
import { readClaims } from "./token";

export interface Session {
  token: string;
  user: User;
  permissions: readonly Permission[];
  dateLogin: string;
}

export const KEYS = {
  token: "token",
  user: "userData",
  permissions: "userPermissions",
  dateLogin: "dateLogin",
  subject: "sesionUsuario",
} as const;

/** Apply the plant's settings in the token. */
export function followPlant(token: string): void {
  const claims = readClaims(token);
  setPlantZone(claims?.zone);
  setPlantCurrency(claims?.currency);
}

/** The stored session; null if a part is missing or unreadable, or if it is of another day. */
export function readStoredSession(): Session | null {
  const [token, userText, permissionsText, dateLogin] = [
    KEYS.token,
    KEYS.user,
    KEYS.permissions,
    KEYS.dateLogin,
  ].map((key) => ofBrowser.getItem(key));
  if (!token || !userText || !permissionsText || !dateLogin) return null;
  const user = parseStored(userText);
  const permissions = parseStored(permissionsText);
  if (typeof user !== "object" || user === null || !Array.isArray(permissions)) return null;
  followPlant(token);
  if (dateLogin !== today()) return null;
  return { token, user: user as User, permissions: permissions as Permission[], dateLogin };
}

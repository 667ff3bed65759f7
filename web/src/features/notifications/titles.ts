/** What a notification says, in its list and in the browser's own. Specification 2, section 2. */
import type { TFunction } from "i18next";
import type { Notification } from "@/contract";

type Named = Pick<Notification, "type" | "message">;

export function titleOf({ type }: Pick<Named, "type">, t: TFunction<"notifications">): string {
  return type === "SalesOrderWithoutOutputProcess" ? t("withoutOutput") : t("expiring");
}

export function placeOf(
  { message }: Pick<Named, "message">,
  t: TFunction<"notifications">,
): string {
  return t("where", { notes: message.notes, position: message.position });
}

/** What a notification says, in its list and in the browser's own. Specification 2, section 2. */
import type { TFunction } from "i18next";
import type { Notification } from "@/contract";
import { today } from "@/shared/format/plant";

type Named = Pick<Notification, "type" | "message">;

/** What is due today or late by now is no longer near its date. */
export function titleOf(
  { type, message: { deliveryDate } }: Named,
  t: TFunction<"notifications">,
): string {
  if (type === "SalesOrderWithoutOutputProcess") return t("withoutOutput");
  if (deliveryDate === null || deliveryDate > today()) return t("expiring");
  return deliveryDate === today() ? t("dueToday") : t("late");
}

export function placeOf(
  { message }: Pick<Named, "message">,
  t: TFunction<"notifications">,
): string {
  return t("where", { notes: message.notes, position: message.position });
}

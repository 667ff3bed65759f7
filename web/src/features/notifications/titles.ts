/** Texts of a notification, for the list and for browser notifications. */
import type { TFunction } from "i18next";
import type { CustomerAnswer, Notification } from "@/contract";
import { daysBetween, daysSince, today } from "@/shared/format/plant";

type Named = Pick<Notification, "type" | "message">;
type T = TFunction<"notifications">;
type Answer = CustomerAnswer["kind"];

const TITLES = {
  SalesOrderWithoutOutputProcess: "withoutOutput",
  SalesOrderDeliveryDateExpiring: "expiring",
  likelyLate: "likelyLate",
} as const satisfies Record<Exclude<Notification["type"], "customerAnswer">, string>;

export function titleOf({ type, message: { answer } }: Named, t: T): string {
  if (type === "customerAnswer") return t(`customer.${answer as Answer}`);
  return t(TITLES[type]);
}

export function placeOf({ message }: Pick<Named, "message">, t: T): string {
  return t("where", { notes: message.notes, position: message.position });
}

/**
 * Say when the delivery is or was due, in which process the pieces are and for how long, or where an
 * answer can be read; "" if nothing is known.
 */
export function standingOf({ message }: Pick<Named, "message">, t: T): string {
  const { answer, deliveryDate, insideSince, productionProcessName: process } = message;
  if (answer !== null) return t("customerHint");
  if (deliveryDate !== null) {
    const days = daysBetween(today(), deliveryDate);
    if (days === 0) return t("dueToday");
    return days > 0 ? t("dueIn", { count: days }) : t("lateBy", { count: -days });
  }
  if (!insideSince) return "";
  const days = daysSince(insideSince);
  return days === 0 ? t("insideToday", { process }) : t("insideFor", { count: days, process });
}

/** Texts of a notification, for the list and for browser notifications. */
import type { TFunction } from "i18next";
import type { CustomerAnswer, Message, Notification } from "@/contract";
import { daysBetween, daysSince, today } from "@/shared/format/plant";
import type { OwnNotice } from "./notifications.api";

type Named = Pick<Notification, "type" | "message">;
type T = TFunction<"notifications">;
type Answer = CustomerAnswer["kind"];

const TITLES = {
  SalesOrderWithoutOutputProcess: "withoutOutput",
  SalesOrderDeliveryDateExpiring: "expiring",
  likelyLate: "expiring",
} as const satisfies Record<Exclude<Notification["type"], "customerAnswer">, string>;

export function titleOf({ type, message: { answer } }: Named, t: T): string {
  if (type === "customerAnswer") return t(`customer.${answer as Answer}`);
  return t(TITLES[type]);
}

/** The second line: the order and line, and that the line is likely late. */
export function placeOf({ type, message }: Named, t: T): string {
  const place = t("where", { notes: message.notes, position: message.position });
  return type === "likelyLate" ? `${place} · ${t("likelyLate")}` : place;
}

/**
 * Say when the delivery is or was due, or in which process the pieces are and for how long, or
 * where a customer's answer can be read. Returns "" if nothing is known.
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

/** Title of a person's own notice: an import, or the process that pieces wait for. */
export function ownTitleOf({ about, params }: OwnNotice, t: T): string {
  if (about === "message") {
    return t("own.message", {
      po: String(params["customerSalesOrderId"]),
      position: Number(params["position"]),
    });
  }
  if (about === "importDone") return t("own.importDone");
  return t("own.assigned", { process: String(params["productionProcessName"]) });
}

export function ownTextOf({ about, params }: OwnNotice, t: T): string {
  if (about === "message") return t(`own.messageOf.${params["kind"] as Message["kind"]}`);
  if (about !== "importDone") return t("own.waiting", { count: Number(params["count"]) });
  const { state } = params;
  return t(state === "applied" || state === "ready" ? `own.${state}` : "own.failed");
}

/** Whether a webhook sends, what became of a delivery, and why it did not arrive: as keys of the words on screen. */
import { EVENT_READERS, type Permission, type Webhook, type WebhookDelivery } from "@/contract";

export type EventType = keyof typeof EVENT_READERS;
export const EVENT_TYPES = Object.keys(EVENT_READERS) as EventType[];

/** One that only a newer server has is shown by its name. */
export const isKnown = (type: string): type is EventType => type in EVENT_READERS;

/** Whether an account with these permissions may read any event of a type. */
export function isRead(type: EventType, permissions: readonly Permission[]): boolean {
  const readers: readonly Permission[] = EVENT_READERS[type];
  return permissions.some((action) => readers.includes(action));
}

export type WebhookState = "good" | "failing" | "noSecret" | "revoked" | "paused" | "stopped";

export function stateOf(
  webhook: Pick<Webhook, "active" | "accountActive" | "hasSecret" | "failingSince" | "stoppedAt">,
): WebhookState {
  if (!webhook.active) return webhook.stoppedAt === null ? "paused" : "stopped";
  if (!webhook.accountActive) return "revoked";
  if (!webhook.hasSecret) return "noSecret";
  return webhook.failingSince === null ? "good" : "failing";
}

export const TONES = {
  good: "good",
  failing: "warning",
  noSecret: "warning",
  revoked: "bad",
  paused: "quiet",
  stopped: "bad",
} as const satisfies Record<WebhookState, string>;

type Attempted = Pick<WebhookDelivery, "attempts" | "deliveredAt" | "status" | "failure">;

/** What does not arrive is tried again, and keeps what follows waiting. */
export function deliveryState(row: Attempted): "delivered" | "failed" | "waiting" {
  if (row.deliveredAt !== null) return "delivered";
  return row.attempts > 0 ? "failed" : "waiting";
}

export type Reason =
  | NonNullable<WebhookDelivery["failure"]>
  | "redirect"
  | "denied"
  | "notFound"
  | "gone"
  | "busy"
  | "refused"
  | "broken"
  | "other";

const OF_STATUS: Readonly<Record<number, Reason>> = {
  401: "denied",
  403: "denied",
  404: "notFound",
  410: "gone",
  429: "busy",
};

/** Why the last attempt did not arrive; undefined where it did, or where there was none. */
export function reasonOf(row: Attempted): Reason | undefined {
  if (deliveryState(row) !== "failed") return undefined;
  const { status } = row;
  if (status === null) return row.failure ?? "other";
  const known = OF_STATUS[status];
  if (known !== undefined) return known;
  if (status >= 500) return "broken";
  if (status >= 400) return "refused";
  return status >= 300 ? "redirect" : "other";
}

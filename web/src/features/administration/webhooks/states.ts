/**
 * Classify webhooks and deliveries: state, reason of a failure, and the events that an account may
 * read.
 */
import { WEBHOOK_EVENTS, type Permission, type Webhook, type WebhookDelivery } from "@/contract";
import { keysOf } from "@/shared/keysOf";

export type EventType = keyof typeof WEBHOOK_EVENTS;
export const EVENT_TYPES = keysOf(WEBHOOK_EVENTS);

/** False for types that only a newer server knows. Show those verbatim. */
export const isKnown = (type: string): type is EventType => type in WEBHOOK_EVENTS;

/** Whether one of the permissions allows reading events of a type. */
export function isRead(type: EventType, permissions: readonly Permission[]): boolean {
  const readers: readonly Permission[] = WEBHOOK_EVENTS[type].readers;
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

/** The state of a delivery. A failed one is retried, and later messages wait for it. */
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

/** Why the last attempt failed; undefined if it arrived or there was none. */
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

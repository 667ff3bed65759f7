/** Sessions and notifications for tests. */
import type { Notification } from "@/contract";
import type { Session } from "@/shared/session/session";

export function aToken(claims: Record<string, unknown> = { sub: "7" }): string {
  return `e30.${btoa(JSON.stringify(claims))}.c2ln`;
}

/** The answer to a page's start that leaves everything but the rights to calls of their own. */
export function aStart({ user, permissions }: Pick<Session, "user" | "permissions">) {
  return {
    ticket: "t",
    expiresIn: 30,
    pictures: "",
    epoch: "e1",
    id: 40,
    user,
    permissions,
    options: {},
    unread: null,
  };
}

export function aSession(overrides: Partial<Session> = {}): Session {
  return {
    token: aToken(),
    user: {
      id: 7,
      email: "ana@obrador.test",
      firstName: "Ana",
      lastName: "Ruiz",
      secondLastName: "",
      fullName: "Ana Ruiz",
      roleIds: [1],
      userType: "Internal",
      customerId: null,
      language: "es",
      active: true,
      locked: false,
      productionProcessIds: [1],
      hasPin: false,
      hasBadge: false,
      erased: false,
      version: 1,
    },
    permissions: ["ListSalesOrders"],
    dateLogin: "2026-03-14",
    ...overrides,
  };
}

/**
 * A notification about a delivery date, or about pieces inside a process if `message` names the
 * process.
 */
export function aNotification(
  message: Partial<Notification["message"]> = {},
  overrides: Partial<Notification> = {},
): Notification {
  return {
    kind: "notification",
    id: 1,
    version: 1,
    read: false,
    type: message.productionProcessId
      ? "SalesOrderWithoutOutputProcess"
      : "SalesOrderDeliveryDateExpiring",
    createdAt: "2026-03-02T12:00:00.000Z",
    message: {
      notes: "A-1",
      position: 1,
      salesOrderId: 1,
      lineId: 1,
      productionProcessId: null,
      productionProcessName: null,
      insideSince: null,
      deliveryDate: null,
      answer: null,
      ...message,
    },
    ...overrides,
  };
}

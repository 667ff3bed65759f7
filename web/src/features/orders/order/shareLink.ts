/** Calls of customers' links, and the ways to send one. */
import type {
  ApprovalRequest,
  CustomerAnswer,
  CustomerLink,
  CustomerLinkIn,
  NewCustomerLink,
  Schemas,
} from "@/contract";
import { api, call } from "@/shared/http/client";

/** Make a link. Only this answer contains the token. Throws ApiError. */
export function makeLink(
  headers: { "Idempotency-Key": string },
  body: CustomerLinkIn,
): Promise<NewCustomerLink> {
  return call(api.POST("/api/customer-links", { body, headers }));
}

/** Change where the weekly mail of a link goes. Throws ApiError. */
export function changeLink(
  headers: { "Idempotency-Key": string },
  { id, version }: CustomerLink,
  body: Schemas["CustomerLinkChange"],
): Promise<CustomerLink> {
  return call(
    api.PUT("/api/customer-links/{link_id}", {
      params: { path: { link_id: id } },
      headers: { ...headers, "If-Match": `"${version}"` },
      body,
    }),
  );
}

/** Throws ApiError. */
export function revokeLink(
  headers: { "Idempotency-Key": string },
  linkId: number,
): Promise<CustomerLink> {
  const path = { link_id: linkId };
  return call(api.DELETE("/api/customer-links/{link_id}", { params: { path }, headers }));
}

/** Ask the reader of a link to approve a line. Throws ApiError. */
export function askApproval(
  headers: { "Idempotency-Key": string },
  linkId: number,
  body: Schemas["ApprovalRequestIn"],
): Promise<ApprovalRequest> {
  const path = { link_id: linkId };
  return call(
    api.POST("/api/customer-links/{link_id}/requests", { params: { path }, headers, body }),
  );
}

/** Throws ApiError. */
export function withdrawRequest(
  headers: { "Idempotency-Key": string },
  { id, linkId }: ApprovalRequest,
): Promise<ApprovalRequest> {
  const path = { link_id: linkId, request_id: id };
  return call(
    api.DELETE("/api/customer-links/{link_id}/requests/{request_id}", {
      params: { path },
      headers,
    }),
  );
}

/** Throws ApiError. */
export function replyTo(
  headers: { "Idempotency-Key": string },
  answerId: number,
  text: string,
): Promise<CustomerAnswer> {
  const path = { answer_id: answerId };
  return call(
    api.POST("/api/customer-answers/{answer_id}/reply", {
      params: { path },
      headers,
      body: { text },
    }),
  );
}

/** Mark an answer as handled, for all of the office. Throws ApiError. */
export function markHandled(
  headers: { "Idempotency-Key": string },
  answerId: number,
): Promise<CustomerAnswer> {
  const path = { answer_id: answerId };
  return call(api.POST("/api/customer-answers/{answer_id}/handled", { params: { path }, headers }));
}

export const whatsappAddress = (message: string): string =>
  `https://wa.me/?text=${encodeURIComponent(message)}`;

export const mailAddress = (subject: string, message: string): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(message)}`;

/**
 * The window from which a message is sent. Open it during the click, because browsers block windows
 * that open later.
 */
export interface Outbox {
  goTo: (address: string) => void;
  close: () => void;
}

export function openOutbox(): Outbox {
  const opened = window.open("", "_blank");
  if (opened !== null) opened.opener = null;
  return {
    goTo: (address) => {
      if (opened === null) window.location.assign(address);
      else opened.location.replace(address);
    },
    close: () => opened?.close(),
  };
}

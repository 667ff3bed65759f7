/** Calls of customers' links, and the ways to send one. */
import type { CustomerLink, CustomerLinkIn, NewCustomerLink, Schemas } from "@/contract";
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

/**
 * Return the address that opens a page. The token is behind the `#`, so browsers do not send it to
 * the server.
 */
export const pageAddress = (token: string): string =>
  `${window.location.origin}${window.location.pathname}#/c/${token}`;

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

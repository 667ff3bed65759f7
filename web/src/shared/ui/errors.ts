/** Messages for failed calls. */
import i18next from "i18next";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { toast } from "./toast";

const PERMISSION_SECONDS = 4;
/** Codes of a 503 with a message that says who does not answer. */
const UNAVAILABLE = ["company_unavailable", "pac_unavailable", "pdf_unavailable"];

/** The server's message, which is in the user's language; a general one for no connection, 403, 5xx and no message. */
export function errorText(error: ApiError): string {
  if (error.isOffline) return i18next.t("shared:errors.unreachable");
  if (error.status === 403) return i18next.t("shared:errors.permission");
  if (UNAVAILABLE.includes(error.code)) return error.message;
  if (error.status >= 500 || error.message === "" || error.code === "unexpected_answer") {
    return i18next.t("shared:errors.generic");
  }
  return error.message;
}

/** The message of a failed call that no form sent: what is wrong with each value that was refused. */
function reasonText(error: ApiError): string {
  const reasons = error.errors.map(({ message }) => message).filter(Boolean);
  return reasons.length > 0 ? [...new Set(reasons)].join(". ") : errorText(error);
}

/** The message of a failed load. Without a connection it does not mention typed text. */
export function loadErrorText(error: ApiError): string {
  return error.isOffline ? i18next.t("shared:errors.offline") : reasonText(error);
}

/** Show a failed call as an error toast, except a 401: the sign-in page explains that. */
export function toastError(reason: unknown): void {
  const error = asApiError(reason);
  if (error.status === 401) return;
  if (error.status === 403) toastNotAllowed();
  else toast.error(reasonText(error));
}

/** Show a failed load that nobody asked for, unless no answer came: the connection's indicator shows that. */
export function toastUnasked(reason: unknown): void {
  if (!asApiError(reason).isOffline) toastError(reason);
}

/** Show "You do not have permissions for this action." for 4 s. */
export function toastNotAllowed(): void {
  toast.error(i18next.t("shared:errors.permission"), PERMISSION_SECONDS);
}

/** Tell the user that the address has no page, after a redirect to the landing page. */
export function toastNoSuchPage(): void {
  toast.error(i18next.t("shared:errors.noSuchPage"), PERMISSION_SECONDS);
}

/** Convert field errors for Ant Design's `form.setFields`: `items.0.quantity` → ["items", 0, "quantity"]. */
export function fieldErrors(error: ApiError): { name: (string | number)[]; errors: string[] }[] {
  return error.errors.map(({ field, message }) => ({
    name: field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    errors: [message],
  }));
}

/** What a person reads about a failed call. */
import i18next from "i18next";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { toast } from "./toast";

const PERMISSION_SECONDS = 4;

/** The server writes its refusals in the person's language; what it could not say is said here. */
export function errorText(error: ApiError): string {
  if (error.isOffline) return i18next.t("shared:errors.unreachable");
  if (error.status === 403) return i18next.t("shared:errors.permission");
  if (error.status >= 500 || error.message === "" || error.code === "unexpected_answer") {
    return i18next.t("shared:errors.generic");
  }
  return error.message;
}

/** Shows a failed call as an error toast; a 401 is said by the sign-in page. */
export function toastError(reason: unknown): void {
  const error = asApiError(reason);
  if (error.status === 401) return;
  if (error.status === 403) toastNotAllowed();
  else toast.error(errorText(error));
}

/** "You do not have permissions for this action.", 4 s. */
export function toastNotAllowed(): void {
  toast.error(i18next.t("shared:errors.permission"), PERMISSION_SECONDS);
}

/** An address that leads nowhere: the person was led to the start page instead. */
export function toastNoSuchPage(): void {
  toast.error(i18next.t("shared:errors.noSuchPage"), PERMISSION_SECONDS);
}

/** The refused fields, as Ant's `form.setFields` takes them: `items.0.quantity` → ["items", 0, "quantity"]. */
export function fieldErrors(error: ApiError): { name: (string | number)[]; errors: string[] }[] {
  return error.errors.map(({ field, message }) => ({
    name: field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    errors: [message],
  }));
}

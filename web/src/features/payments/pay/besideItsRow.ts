/** A lost race names the record it is about: it is said beside that record's pieces. */
import type { PaymentIn } from "@/contract";
import { ApiError, asApiError } from "@/shared/http/ApiError";

export function besideItsRow(reason: unknown, items: PaymentIn["items"]): ApiError {
  const error = asApiError(reason);
  const index = items.findIndex(
    ({ processRecordId }) => processRecordId === error.params["processRecordId"],
  );
  if (index < 0) return error;
  const { status, code, message, params } = error;
  const field = `items.${index}.quantity`;
  return new ApiError(status, { code, message, params, errors: [{ field, code, message }] });
}

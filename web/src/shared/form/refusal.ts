/** Puts the server's refusals beside the fields they are about; the rest is said in a toast. */
import i18next from "i18next";
import type { FormInstance } from "antd/es/form";
import { asApiError } from "@/shared/http/ApiError";
import { fieldErrors, toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";

export function showRefusal<V>(form: FormInstance<V>, reason: unknown): void {
  const error = asApiError(reason);
  const fields = fieldErrors(error);
  if (fields.length === 0) {
    toastError(error);
    return;
  }
  // There is nothing to correct where a picture did not arrive.
  if (error.code !== "picture_failed") toast.error(i18next.t("forms:fix"));
  form.setFields(fields as Parameters<typeof form.setFields>[0]);
  form.scrollToField(fields[0]!.name as Parameters<typeof form.scrollToField>[0], {
    focus: true,
    block: "center",
  });
}

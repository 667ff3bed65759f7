/** Send a record's picture after the record is saved. If that fails, the form stays open with the file still chosen. */
import i18next from "i18next";
import { ApiError, asApiError } from "@/shared/http/ApiError";
import { toast, type Saved } from "@/shared/ui/toast";
import { PICTURE, PICTURE_FAILURE_AFTER } from "./pictures";

/** Show that a picture could not be changed or added, after the message that the record is saved has disappeared. */
export function sayPictureFailed(): ReturnType<typeof setTimeout> {
  return setTimeout(() => toast.error(i18next.t("forms:picture.failed")), PICTURE_FAILURE_AFTER);
}

/** Run `send`. If it fails, name the saved record without a link, and throw the ApiError for the form's picture. */
export async function afterRecord({ name }: Saved, send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (reason) {
    toast.saved({ name });
    sayPictureFailed();
    const { status } = asApiError(reason);
    const code = "picture_failed";
    const message = i18next.t("forms:picture.kept");
    const errors = [{ field: PICTURE, code, message }];
    throw new ApiError(status, { code, message, params: {}, errors });
  }
}

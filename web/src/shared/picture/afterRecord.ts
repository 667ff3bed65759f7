/** A record is saved, and its picture goes after it: one that fails leaves the form open with the file still chosen. */
import i18next from "i18next";
import { ApiError, asApiError } from "@/shared/http/ApiError";
import { toast, type Saved } from "@/shared/ui/toast";
import { PICTURE, PICTURE_FAILURE_AFTER } from "./pictures";

/** Says, after the word that the rest is saved, that a picture could not be changed or added. */
export function sayPictureFailed(): ReturnType<typeof setTimeout> {
  return setTimeout(() => toast.error(i18next.t("forms:picture.failed")), PICTURE_FAILURE_AFTER);
}

/** Throws what the form shows beside the picture. The form stays open, so the name of what was saved is no link. */
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

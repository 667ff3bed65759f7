/** Save the pictures of companies, customers and products. See infra/docs/rules.md#pictures. */
import { asApiError } from "@/shared/http/ApiError";
import { call, requestAt } from "@/shared/http/client";
import { asJpeg, nameImageOf, type PictureChange } from "@/shared/picture/pictures";
import type { CatalogName } from "@/shared/http/keys";
import type { Entry } from "./catalog";

/** The `File-Type` header: what the picture is to its record. */
const FILE_TYPES: Partial<Record<CatalogName, string>> = { customers: "quinto", companies: "logo" };

/**
 * Save a changed picture. The server keeps the old picture until it has the new one. Throws
 * ApiError.
 */
export async function sendPicture(
  name: CatalogName,
  record: Entry,
  change: PictureChange,
): Promise<void> {
  if (change === null) return;
  if ("file" in change) await upload(name, record.id, change.file);
  else if (record.nameImage) await remove(name, record.id, record.nameImage);
}

async function remove(name: CatalogName, id: number, reference: string): Promise<void> {
  try {
    await call(
      requestAt("delete", `/api/${name}/{entry_id}/document/{reference}`, {
        params: { path: { entry_id: id, reference } },
      }),
    );
  } catch (reason) {
    // Another user has removed it already, which is the wanted result.
    if (asApiError(reason).status !== 404) throw reason;
  }
}

async function upload(name: CatalogName, id: number, file: File): Promise<void> {
  const fileType = FILE_TYPES[name];
  await call(
    requestAt("post", `/api/${name}/{entry_id}/document/{reference}.jpeg`, {
      params: { path: { entry_id: id, reference: nameImageOf(file.name) } },
      body: await asJpeg(file),
      bodySerializer: (body) => body,
      headers: {
        "Content-Type": "image/jpeg",
        ...(fileType === undefined ? {} : { "File-Type": fileType }),
      },
    }),
  );
}

/** Pictures of companies, customers and products: what may be chosen, and how it reaches the server. Specification 1, section 4. */
import { asApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import type { CatalogName, Entry } from "../catalog";

export const ACCEPTED = ["image/png", "image/jpeg"];
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;
const LONGEST_NAME = 100;
/** The upload says what the picture is to its record. Specification 1, section 7. */
const FILE_TYPES: Partial<Record<CatalogName, string>> = { customers: "quinto", companies: "logo" };

/** What the form will do to the picture; null leaves it. The address of the preview lives as long as the form. */
export type PictureChange = { file: File; preview: string } | { removed: true } | null;

/** Why a file cannot be the picture, or null where it can. */
export async function refusalOf(file: File): Promise<"notAccepted" | "tooLarge" | null> {
  if (!ACCEPTED.includes(file.type)) return "notAccepted";
  if (file.size > MOST_BYTES) return "tooLarge";
  try {
    const { width, height } = await createImageBitmap(file);
    return width * height > MOST_PIXELS ? "tooLarge" : null;
  } catch {
    return "notAccepted"; // Named an image, and none.
  }
}

/** The base name of a file as the server takes it: letters, digits, `-`, `_` and spaces. */
export function nameImageOf(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, "").normalize("NFC");
  const plain = base
    .replaceAll(/[^\p{L}\p{N}_\- ]+/gu, "-")
    .slice(0, LONGEST_NAME)
    .replaceAll(/^[- ]+|[- ]+$/g, "");
  return plain === "" ? "image" : plain;
}

/** The old picture goes first, then the new one comes. Throws ApiError. */
export async function sendPicture(
  name: CatalogName,
  record: Entry,
  change: PictureChange,
): Promise<void> {
  if (change === null) return;
  if (record.nameImage) await remove(name, record.id, record.nameImage);
  if ("file" in change) await upload(name, record.id, change.file);
}

async function remove(name: CatalogName, id: number, reference: string): Promise<void> {
  try {
    await call(
      api.DELETE(`/api/${name}/{entry_id}/document/{reference}` as typeof REMOVAL, {
        params: { path: { entry_id: id, reference } },
      }),
    );
  } catch (reason) {
    // Somebody else was quicker: it is gone, which is what was wanted.
    if (asApiError(reason).status !== 404) throw reason;
  }
}

async function upload(name: CatalogName, id: number, file: File): Promise<void> {
  const fileType = FILE_TYPES[name];
  await call(
    api.POST(`/api/${name}/{entry_id}/document/{reference}.jpeg` as typeof UPLOAD, {
      params: { path: { entry_id: id, reference: nameImageOf(file.name) } },
      body: file as never,
      bodySerializer: (body) => body,
      headers: {
        "Content-Type": "image/jpeg",
        ...(fileType === undefined ? {} : { "File-Type": fileType }),
      },
    }),
  );
}

const REMOVAL = "/api/items/{entry_id}/document/{reference}";
const UPLOAD = "/api/items/{entry_id}/document/{reference}.jpeg";

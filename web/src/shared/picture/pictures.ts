/** Check pictures that a user chooses, and prepare them for the server. See infra/docs/rules.md#pictures. */
import i18next from "i18next";
import { ApiError } from "@/shared/http/ApiError";

/** The form's field for the picture. It is not stored in drafts, which cannot contain files. */
export const PICTURE = "picture";

export const ACCEPTED = ["image/png", "image/jpeg"];
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;
const LONGEST_NAME = 100;

/** The change to the picture on saving; null for none. The form revokes the preview's address. */
export type PictureChange = { file: File; preview: string } | { removed: true } | null;

export type PictureRefusal = "notAccepted" | "tooLarge";

const PNG = [0x89, 0x50, 0x4e, 0x47];
const JPEG = [0xff, 0xd8, 0xff];
const QUALITY = 0.92;
/** Longest side of a photo that is sent inside of a JSON body, in px: it still shows a crack. */
const PHOTO_SIDE = 1_600;
const PHOTO_QUALITY = 0.8;

async function startsWith(file: File, bytes: number[]): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, bytes.length).arrayBuffer());
  return bytes.every((byte, index) => head[index] === byte);
}

/** Why a file is refused as a picture; null if it is accepted. Checks its bytes, not only its declared type. */
export async function refusalOf(file: File): Promise<PictureRefusal | null> {
  if (!ACCEPTED.includes(file.type)) return "notAccepted";
  if (file.size > MOST_BYTES) return "tooLarge";
  if (!(await startsWith(file, PNG)) && !(await startsWith(file, JPEG))) return "notAccepted";
  try {
    const bitmap = await createImageBitmap(file);
    const pixels = bitmap.width * bitmap.height;
    bitmap.close();
    return pixels > MOST_PIXELS ? "tooLarge" : null;
  } catch {
    return "notAccepted"; // Declared as an image, but not readable as one.
  }
}

/** Convert a PNG to a JPEG on white for sending; keep a JPEG unchanged. Throws ApiError if it is too large. */
export async function asJpeg(file: File): Promise<File> {
  const jpeg = (await startsWith(file, JPEG)) ? file : await encoded(file);
  if (jpeg === null || jpeg.size > MOST_BYTES) throw tooLarge();
  return new File([jpeg], file.name, { type: "image/jpeg" });
}

/** Reduce a photo to a small JPEG, in base 64. Throws ApiError if the browser cannot encode it. */
export async function asPhoto(file: File): Promise<string> {
  const jpeg = await encoded(file, PHOTO_SIDE, PHOTO_QUALITY);
  if (jpeg === null) throw tooLarge();
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""));
}

function tooLarge(): ApiError {
  const message = i18next.t("forms:picture.tooLarge");
  return new ApiError(413, { code: "image_too_large", message, params: {}, errors: [] });
}

/** Encode a picture as JPEG, at most `longest` px a side; null if it is too large for the browser's canvas. */
async function encoded(file: File, longest = Infinity, quality = QUALITY): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/jpeg", quality }).catch(() => null);
}

/** Convert a file's name to a base name that the server accepts: letters, digits, `-`, `_` and spaces. */
export function nameImageOf(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, "").normalize("NFC");
  const plain = base
    .replaceAll(/[^\p{L}\p{N}_\- ]+/gu, "-")
    .slice(0, LONGEST_NAME)
    .replaceAll(/^[- ]+|[- ]+$/g, "");
  return plain === "" ? "image" : plain;
}

/** Milliseconds before the message that a picture failed, so that it follows the message of the saved record. */
export const PICTURE_FAILURE_AFTER = 3_000;

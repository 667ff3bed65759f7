/** Pictures as a person may choose them, and how they are named for the server. See infra/docs/rules.md#pictures. */
import i18next from "i18next";
import { ApiError } from "@/shared/http/ApiError";

/** A file cannot be kept in a draft: the form holds it under this name alone. */
export const PICTURE = "picture";

export const ACCEPTED = ["image/png", "image/jpeg"];
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;
const LONGEST_NAME = 100;

/** What the form will do to the picture; null leaves it. The address of the preview lives as long as the form. */
export type PictureChange = { file: File; preview: string } | { removed: true } | null;

export type PictureRefusal = "notAccepted" | "tooLarge";

const PNG = [0x89, 0x50, 0x4e, 0x47];
const JPEG = [0xff, 0xd8, 0xff];
const QUALITY = 0.92;

async function startsWith(file: File, bytes: number[]): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, bytes.length).arrayBuffer());
  return bytes.every((byte, index) => head[index] === byte);
}

/** Why a file cannot be the picture, or null where it can. Its bytes decide, not its name alone. */
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
    return "notAccepted"; // Named an image, and none.
  }
}

/** The picture as it is sent: a JPEG as it is, a PNG as a JPEG on white ground. Throws ApiError where it is too large. */
export async function asJpeg(file: File): Promise<File> {
  const jpeg = (await startsWith(file, JPEG)) ? file : await encoded(file);
  if (jpeg === null || jpeg.size > MOST_BYTES) {
    const message = i18next.t("forms:picture.tooLarge");
    throw new ApiError(413, { code: "image_too_large", message, params: {}, errors: [] });
  }
  return new File([jpeg], file.name, { type: "image/jpeg" });
}

/** Null where the browser has no canvas that large. */
async function encoded(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY }).catch(() => null);
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

/** When a person reads that a picture did not make it. */
export const PICTURE_FAILURE_AFTER = 3_000;

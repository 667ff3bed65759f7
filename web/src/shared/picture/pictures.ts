/** Pictures as a person may choose them, and how they are named for the server. Specification 1, section 4. */
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

/**
 * The file as it is sent: a JPEG as it is, a PNG as a JPEG on white ground. Its bytes decide what it is, not its name.
 * Returns why it cannot be the picture where it cannot.
 */
export async function jpegOf(file: File): Promise<File | PictureRefusal> {
  if (!ACCEPTED.includes(file.type)) return "notAccepted";
  if (file.size > MOST_BYTES) return "tooLarge";
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const startsWith = (bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  if (!startsWith(PNG) && !startsWith(JPEG)) return "notAccepted";
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return "notAccepted"; // Named an image, and none.
  }
  try {
    if (bitmap.width * bitmap.height > MOST_PIXELS) return "tooLarge";
    const jpeg = startsWith(JPEG) ? file : await encoded(bitmap);
    if (jpeg === null || jpeg.size > MOST_BYTES) return "tooLarge";
    return new File([jpeg], file.name, { type: "image/jpeg" });
  } finally {
    bitmap.close();
  }
}

/** Null where the browser has no canvas that large. */
function encoded(bitmap: ImageBitmap): Promise<Blob | null> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
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

/** When a person reads that a picture did not make it. Specification 1, section 8. */
export const PICTURE_FAILURE_AFTER = 3_000;

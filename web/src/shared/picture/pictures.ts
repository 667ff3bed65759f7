/** Pictures as a person may choose them, and how they are named for the server. Specification 1, section 4. */
/** A file cannot be kept in a draft: the form holds it under this name alone. */
export const PICTURE = "picture";

export const ACCEPTED = ["image/png", "image/jpeg"];
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;
const LONGEST_NAME = 100;

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

/** When a person reads that a picture did not make it. Specification 1, section 8. */
export const PICTURE_FAILURE_AFTER = 3_000;

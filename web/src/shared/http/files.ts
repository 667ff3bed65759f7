/** Save fetched files in the browser, under the names that the server gave them. */

/** Save a file by clicking a temporary link. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser needs the address until it has handled the click.
  setTimeout(() => URL.revokeObjectURL(address));
}

/** Read the name in `attachment; filename="…"` or `filename*=utf-8''…`. Null if there is none. */
export function fileNameOf(disposition: string | null): string | null {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "")?.[1];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? null;
}

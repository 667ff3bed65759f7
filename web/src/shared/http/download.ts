/** Files that only a signed-in person may have: fetched with the token, handed to the browser, no token in an address. */

/** Saves what was fetched under a name, as a click on a link would. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken the file once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address));
}

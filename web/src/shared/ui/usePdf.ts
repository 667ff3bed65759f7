/** Show a PDF in a new tab, or save it. */
import { useSubmit } from "./useSubmit";
import type { ServedFile } from "@/shared/http/download";
import { saveFile } from "@/shared/http/files";
import { toastError } from "./errors";

/** `fetchPdf` throws ApiError. */
export function usePdf(fetchPdf: () => Promise<ServedFile>) {
  const { submit, busy } = useSubmit(() => fetchPdf());

  async function fetched() {
    try {
      return await submit();
    } catch (reason) {
      toastError(reason);
      return undefined;
    }
  }

  async function show() {
    // Open the tab during the click: browsers block tabs that open later.
    const tab = window.open("", "_blank");
    const served = await fetched();
    if (served === undefined || tab === null) {
      tab?.close();
      if (served !== undefined) saveFile(served.file, served.name);
      return;
    }
    // Not revoked: the PDF viewer needs the address again to save or print. It is freed with this page.
    tab.location.replace(URL.createObjectURL(served.file));
  }

  async function save() {
    const served = await fetched();
    if (served !== undefined) saveFile(served.file, served.name);
  }

  return { show, save, busy };
}

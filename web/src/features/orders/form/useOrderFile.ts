/** Read a customer's order file, and read it again with answers to its doubts. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FileChoices, OrderFile } from "@/contract";
import { sendFile } from "@/shared/http/upload";
import { whyNot } from "@/entities/importing/files";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import type { KeptSheet, Sheets } from "./useSheets";

export function useOrderFile({ add, replace }: Sheets) {
  const { t } = useTranslation(["orders", "shared", "forms"]);
  const [reading, setReading] = useState(false);

  async function readFile(file: File, choices: FileChoices, take: (read: OrderFile) => void) {
    setReading(true);
    try {
      const asked = new URLSearchParams(
        Object.entries(choices).map(([choice, answer]) => [choice, String(answer)]),
      );
      const read = await sendFile<OrderFile>(`/api/imports/order-lines?${asked}`, file, {
        onProgress: () => undefined,
        headers: {
          "Content-Type": "application/octet-stream",
          "X-File-Name": encodeURIComponent(file.name),
        },
      });
      take(read);
    } catch (reason) {
      toastError(reason);
    } finally {
      setReading(false);
    }
  }

  async function takeFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const refused = whyNot(file);
    if (refused !== null) toast.error(t(`forms:file.${refused}`));
    else {
      await readFile(file, {}, ({ rows, ...read }) => {
        if (rows.length === 0) toast.error(t("sheet.empty"));
        else add(rows, { file, reading: { ...read, choices: {} } });
      });
    }
  }

  /**
   * Return the function that answers a doubt; undefined for pasted sheets and for those of a draft,
   * which have no file.
   */
  function chooseOf({ id, file, sheet }: KeptSheet): ((more: FileChoices) => void) | undefined {
    if (file === undefined) return undefined;
    return (more) => {
      const choices = { ...sheet.reading?.choices, ...more };
      void readFile(file, choices, ({ rows, ...read }) =>
        replace(id, rows, { file, reading: { ...read, choices } }),
      );
    };
  }

  return { reading, takeFile, chooseOf };
}

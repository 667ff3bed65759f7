/** Prints work sheets; where it takes long, a dialog says how far it is, and where it fails, offers to try again. */
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { toastError, toastNotAllowed } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { printSheets, type Document } from "./print.api";

const PrintDialog = lazyPart(() => import("./PrintDialog"));

interface Run {
  id: string;
  documents: readonly Document[];
  error: ApiError | null;
}

export interface Printing {
  print: (documents: readonly Document[]) => Promise<void>;
  busy: boolean;
  /** Drawn somewhere on the page. */
  dialog: ReactNode;
}

export function usePrinting(): Printing {
  const { t } = useTranslation("orders");
  const may = useMay("PrintWorkSheet");
  const [run, setRun] = useState<Run | null>(null);
  const busy = run !== null && run.error === null;

  async function print(documents: readonly Document[]) {
    if (busy) return;
    if (!may) {
      toastNotAllowed();
      return;
    }
    const id = newRunId();
    setRun({ id, documents, error: null });
    try {
      await printSheets(documents, id);
      setRun(null);
      toast.success(t("print.done"));
    } catch (reason) {
      const error = asApiError(reason);
      const again = error.isOffline || error.status >= 500;
      setRun(again ? { id, documents, error } : null);
      if (!again) toastError(error);
    }
  }

  return {
    print,
    busy,
    dialog: run !== null && (
      <PrintDialog
        key={run.id}
        runId={run.id}
        error={run.error}
        onAgain={() => void print(run.documents)}
        onClose={() => setRun(null)}
      />
    ),
  };
}

/** A UUID, also where the page is served without TLS and `crypto.randomUUID` is not there. */
function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

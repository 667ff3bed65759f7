/**
 * Print work sheets. A long print shows its progress in a dialog; the user can cancel it, or hide
 * it and continue on another page. After a failure, the dialog offers to try again.
 */
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useIsShown } from "@/shared/ui/useSubmit";
import { useMay } from "@/shared/session/session";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { newRunId, printSheets, type Document } from "@/entities/printing/runs";
import { toastError, toastNotAllowed } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";

const PrintDialog = lazyPart(() => import("./PrintDialog"));

interface Run {
  id: string;
  documents: readonly Document[];
  error: ApiError | null;
  /** The dialog is hidden while the print continues. */
  hidden: boolean;
}

export interface Printing {
  print: (documents: readonly Document[]) => Promise<void>;
  busy: boolean;
  /** The dialog, which the page must render. */
  dialog: ReactNode;
}

export function usePrinting(): Printing {
  const { t } = useTranslation("orders");
  const may = useMay("PrintWorkSheet");
  const [run, setRun] = useState<Run | null>(null);
  const busy = run !== null && run.error === null;
  const underWay = useRef<AbortController>(null);
  const isShown = useIsShown();

  async function print(documents: readonly Document[]) {
    if (busy) return;
    if (!may) {
      toastNotAllowed();
      return;
    }
    const id = newRunId();
    const controller = new AbortController();
    underWay.current = controller;
    setRun({ id, documents, error: null, hidden: false });
    try {
      await printSheets(documents, id, controller.signal);
      setRun(null);
      toast.success(t("print.done"));
    } catch (reason) {
      if (controller.signal.aborted) {
        setRun(null);
        return;
      }
      const error = asApiError(reason);
      // No dialog can be shown after the page was left.
      const again = isShown() && (error.isOffline || error.status >= 500);
      setRun(again ? { id, documents, error, hidden: false } : null);
      toastError(error);
    }
  }

  return {
    print,
    busy,
    dialog: run !== null && !run.hidden && (
      <PrintDialog
        key={run.id}
        runId={run.id}
        error={run.error}
        onAgain={() => void print(run.documents)}
        onClose={() => setRun(null)}
        onHide={() => setRun({ ...run, hidden: true })}
        onGiveUp={() => underWay.current?.abort()}
      />
    ),
  };
}

/** The code of a work sheet opens its line. See infra/docs/rules.md#printing. */
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { api, call } from "@/shared/http/client";
import { toastError } from "@/shared/ui/errors";
import { useScannerTyping } from "./scanning";

/** The page of a line, as the code of a work sheet names it; closing it leads to the list of all lines. */
export function scannedPath(orderId: number, position: number): string {
  return `/operations/sales-order/${orderId}/position/${position}`;
}

/** Opens the line of a scanned code, or says why not. */
export function useOpenScanned(): (code: string) => Promise<boolean> {
  const navigate = useNavigate();
  return useCallback(
    async (code) => {
      try {
        const { salesOrderId, position } = await call(api.POST("/api/scan", { body: { code } }));
        await navigate(scannedPath(salesOrderId, position));
        return true;
      } catch (reason) {
        toastError(reason);
        return false;
      }
    },
    [navigate],
  );
}

/** A scanner that types anywhere on the page opens the line of its code. */
export function useLineScanner(): void {
  const open = useOpenScanned();
  useScannerTyping((code) => void open(code));
}

/** Open the line of a work sheet's code. See infra/docs/rules.md#printing. */
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { api, call } from "@/shared/http/client";
import { toastError } from "@/shared/ui/errors";
import { useScannerTyping } from "./scanning";

/** The path of a line's page that a work sheet's code opens. Closing the page leads to the list of all lines. */
export function scannedPath(orderId: number, position: number): string {
  return `/operations/sales-order/${orderId}/position/${position}`;
}

/** Return a function that opens the line of a scanned code, or shows why it cannot; it resolves to the success. */
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

/** Open the line of a code that a scanner types anywhere on the page. */
export function useLineScanner(): void {
  const open = useOpenScanned();
  useScannerTyping((code) => void open(code));
}

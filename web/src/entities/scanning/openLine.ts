/** Open the line of a work sheet's code. See infra/docs/rules.md#printing. */
import i18next from "i18next";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { api, call } from "@/shared/http/client";
import { asApiError } from "@/shared/http/ApiError";
import { errorText } from "@/shared/ui/errors";
import { acceptScan, refuseScan } from "./answering";
import { useSound } from "./feedback";
import { useScannerTyping } from "./scanning";

/** The path of a line's page that a work sheet's code opens. Closing the page leads to the list of all lines. */
export function scannedPath(orderId: number, position: number): string {
  return `/operations/sales-order/${orderId}/position/${position}`;
}

/** The codes that are read and not answered yet: each waits for the one before it. */
let scans: Promise<unknown> = Promise.resolve();

/**
 * Return a function that opens the line of a scanned code, or says why it cannot, with a sound; it resolves to the
 * success.
 */
export function useOpenScanned(): (code: string) => Promise<boolean> {
  const navigate = useNavigate();
  useSound();
  return useCallback(
    (code) => {
      const open = async (): Promise<boolean> => {
        try {
          const { salesOrderId, position } = await call(api.POST("/api/scan", { body: { code } }));
          await navigate(scannedPath(salesOrderId, position));
        } catch (reason) {
          const why = errorText(asApiError(reason));
          refuseScan(i18next.t("shared:message.scanRefused", { code: shortened(code), why }));
          return false;
        }
        acceptScan();
        return true;
      };
      const opened = scans.then(open);
      scans = opened;
      return opened;
    },
    [navigate],
  );
}

const MOST_SHOWN = 24;
const shortened = (code: string): string =>
  code.length > MOST_SHOWN ? `${code.slice(0, MOST_SHOWN)}…` : code;

/** Open the line of a code that a scanner types anywhere on the page. */
export function useLineScanner(): void {
  const open = useOpenScanned();
  useScannerTyping((code) => void open(code));
}

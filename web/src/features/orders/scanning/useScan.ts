/** Opens the line of a scanned code, or says why not. */
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { toastError } from "@/shared/ui/errors";
import { scannedPath } from "../paths";
import { scan } from "./scan.api";

export function useScan(): (code: string) => Promise<boolean> {
  const navigate = useNavigate();
  return useCallback(
    async (code) => {
      try {
        const { salesOrderId, position } = await scan(code);
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

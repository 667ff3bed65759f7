/** Name a saved line for a toast, and link to where it is shown. */
import { useTranslation } from "react-i18next";
import { matchPath, useLocation } from "react-router";
import type { Line } from "@/contract";
import { scannedPath } from "@/entities/scanning/openLine";
import type { Saved } from "@/shared/ui/toast";
import { LINE_PAGE, orderPath } from "./paths";

type Named = Pick<Line, "salesOrderId" | "position" | "customerSalesOrderId">;

export function useSavedLine(): (line: Named) => Saved {
  const { t } = useTranslation("orders");
  const { pathname, search } = useLocation();

  /** Whether the current page shows the line. Pages at three paths do. */
  function isShown({ salesOrderId, position }: Named): boolean {
    if (pathname === orderPath(salesOrderId)) {
      return new URLSearchParams(search).get("line") === String(position);
    }
    const page = matchPath(LINE_PAGE, pathname)?.params;
    return (
      pathname === scannedPath(salesOrderId, position) ||
      (page?.id === String(salesOrderId) && page.position === String(position))
    );
  }

  return (line) => ({
    name: t("popup.subject", { po: line.customerSalesOrderId, position: line.position }),
    path: isShown(line) ? pathname + search : scannedPath(line.salesOrderId, line.position),
  });
}

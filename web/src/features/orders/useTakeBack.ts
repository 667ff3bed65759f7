/** Take back the user's last change of a line with Ctrl+Z. */
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/shared/http/ApiError";
import { isCovered, isInField, useShortcut } from "@/shared/keyboard/shortcuts";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { scannedPath } from "@/entities/scanning/openLine";
import { changeBack } from "./orders.writes";
import { forgetChange, lastChange, mayReturn, tookBack } from "./takingBack";

export function useTakeBack(): void {
  const { t } = useTranslation("orders");
  useShortcut({ key: "Control+z", does: "takeBack" });
  const { submit } = useSubmit(changeBack);
  const takeBack = useEffectEvent(async () => {
    const change = lastChange();
    if (change === undefined) return;
    const { customerSalesOrderId: po, position, salesOrderId } = change.line;
    if (!mayReturn(change)) {
      forgetChange(change);
      toast.warning(t("takeBack.stays", { po, position }));
      return;
    }
    try {
      const line = await submit(change);
      if (line === undefined) return; // an earlier press is still under way
      tookBack(change, line);
      toast.done({
        name: t("takeBack.done", { po, position }),
        path: scannedPath(salesOrderId, position),
      });
    } catch (reason) {
      const { isConflict, isOffline, status } = asApiError(reason);
      // Without an answer, or told to wait, the same change may be taken back by another press.
      if (!isOffline && status < 500 && status !== 429) forgetChange(change);
      if (isConflict) toast.warning(t("takeBack.changed", { po, position }));
      else toastError(reason);
    }
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, repeat, defaultPrevented, target } = event;
      if (key.toLowerCase() !== "z" || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      if (defaultPrevented || repeat || isInField(target) || isCovered()) return;
      event.preventDefault();
      void takeBack();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

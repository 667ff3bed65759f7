/** Take back the user's last change of a line or an order with Ctrl+Z. */
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { ORDERS_AND_LINES } from "@/shared/http/keys";
import { isCovered, isInField, useShortcut } from "@/shared/keyboard/shortcuts";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { scannedPath } from "@/entities/scanning/openLine";
import { changeBack } from "./orders.writes";
import { orderPath } from "./paths";
import { forgetChange, lastChange, mayReturn, tookBack, type Change } from "./takingBack";

export function useTakeBack(): void {
  const { t } = useTranslation("orders");
  useShortcut({ key: "Control+z", does: "takeBack" });
  const { submit } = useSubmit(changeBack);
  const { afterWrite } = useAnswers();
  const takeBack = useEffectEvent(async () => {
    const change = lastChange();
    if (change === undefined) return;
    const said = saidOf(change);
    if (!mayReturn(change)) {
      forgetChange(change);
      toast.warning(t("takeBack.stays", said));
      return;
    }
    try {
      const now = await submit(change);
      if (now === undefined) return; // an earlier press is still under way
      tookBack(change, now);
      if ("order" in change) afterWrite(ORDERS_AND_LINES);
      toast.done({ name: t(`takeBack.${said.done}`, said), path: said.path });
    } catch (reason) {
      const { isConflict, isOffline, status } = asApiError(reason);
      // Without an answer, or told to wait, the same change may be taken back by another press.
      if (!isOffline && status < 500 && status !== 429) forgetChange(change);
      if (isConflict) toast.warning(t(`takeBack.${said.changed}`, said));
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

/** What the messages about a change say: the order, the line if it is one, and where it is shown. */
function saidOf(change: Change) {
  if ("order" in change) {
    const { id, customerSalesOrderId: po } = change.order;
    return { po, path: orderPath(id), done: "orderDone", changed: "orderChanged" } as const;
  }
  const { customerSalesOrderId: po, position, salesOrderId } = change.line;
  const path = scannedPath(salesOrderId, position);
  return { po, position, path, done: "done", changed: "changed" } as const;
}

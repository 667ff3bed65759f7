/** Show a payment with its records, and cancel it. */
import Button from "antd/es/button";
import Drawer from "antd/es/drawer";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { readDraft } from "@/shared/form/draft";
import { formatInstant } from "@/shared/format/plant";
import { useFocusBack, useNarrow } from "@/shared/hooks/browser";
import { useSignedIn } from "@/shared/session/session";
import { Fact, Facts, Money } from "@/shared/ui/Facts";
import { ReceiptButton } from "../pay/PaidNote";
import { CancelDialog, draftName } from "./CancelDialog";
import { PaymentStatus } from "./parts";
import { PaidItems } from "./PaidItems";

export function PaymentDrawer({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation(["piecework", "shared"]);
  const narrow = useNarrow();
  useFocusBack();
  const userId = useSignedIn().user.id;
  // Reopen the dialog that was open when the session ended, if its draft was kept.
  const [canceling, setCanceling] = useState(
    () => payment.actions.cancel && readDraft(draftName(payment), userId) !== null,
  );
  return (
    <Drawer
      open
      title={t("paid.one", { id: payment.id })}
      size={narrow ? "100%" : 820}
      closable={{ "aria-label": t("shared:action.close") }}
      onClose={onClose}
      footer={
        <div className="ob-drawer-footer">
          <ReceiptButton paymentIds={[payment.id]} />
          <Button onClick={onClose}>{t("shared:action.close")}</Button>
          {payment.actions.cancel && (
            <span className="ob-first">
              <Button danger onClick={() => setCanceling(true)}>
                {t("cancel.button")}
              </Button>
            </span>
          )}
        </div>
      }
    >
      <div className="ob-stack ob-stack--wide">
        <Facts>
          <Fact name={t("column.status")}>
            <PaymentStatus status={payment.status} />
          </Fact>
          <Fact name={t("column.total")}>
            <Money amount={payment.total} currency={payment.currency} />
          </Fact>
          <Fact name={t("column.date")}>{payment.date}</Fact>
          <Fact name={t("column.payee")}>{payment.username ?? t("none")}</Fact>
          <Fact name={t("column.madeBy")}>
            {payment.createdBy} ·{" "}
            <span className="ob-nowrap ob-payable__when">{formatInstant(payment.createdAt)}</span>
          </Fact>
          {payment.notes !== "" && (
            <Fact wide name={t("column.notes")}>
              {payment.notes}
            </Fact>
          )}
          {payment.canceledAt !== null && (
            <Fact wide name={t("paid.canceledBy")}>
              {payment.canceledBy} · {formatInstant(payment.canceledAt)}: {payment.cancelNotes}
            </Fact>
          )}
        </Facts>
        <PaidItems items={payment.items} currency={payment.currency} />
      </div>
      {canceling && <CancelDialog payment={payment} onClose={() => setCanceling(false)} />}
    </Drawer>
  );
}

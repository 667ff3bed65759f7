/**
 * Ask the user to confirm that a bill is canceled. Its pieces can be billed again; the bill stays
 * in the list.
 */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { useFocusBack } from "@/shared/hooks/browser";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { cancelBill } from "./billing.api";
import { useBillName } from "./BillParts";
import { billPath } from "./paths";
import { useBillAction } from "./useBillAction";
import "./billing.css";

/** Number of lines listed. The rest is counted. */
const NAMED = 5;

export default function CancelDialog({ bill, onClose }: { bill: Delivery; onClose: () => void }) {
  const { t } = useTranslation(["billing", "shared"]);
  const nameOf = useBillName();
  useFocusBack();
  const { act, busy, refusal } = useBillAction(cancelBill);
  const pieces = bill.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const unnamed = bill.lines.length - NAMED;

  async function onAccept() {
    if ((await act(bill)) === undefined) return;
    toast.deleted(t("canceling.done", { name: nameOf(bill) }), billPath(bill.id));
    onClose();
  }

  return (
    <Modal
      open
      centered
      width={460}
      title={t("canceling.title", { name: nameOf(bill) })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={[
        <Button key="back" onClick={onClose}>
          {t("canceling.keep")}
        </Button>,
        <Button key="accept" danger type="primary" loading={busy} onClick={() => void onAccept()}>
          {t("canceling.accept")}
        </Button>,
      ]}
    >
      {bill.status === "Billed" ? (
        <>
          <p>{t("canceling.returns", { count: pieces })}</p>
          <ul className="ob-dots">
            {bill.lines.slice(0, NAMED).map((line) => (
              <li key={`${line.salesOrderId}-${line.position}`}>
                {t("lines.place", { po: line.customerSalesOrderId, position: line.position })}:{" "}
                {t("pieces", { count: line.quantity })}
              </li>
            ))}
            {unnamed > 0 && <li>{t("canceling.more", { count: unnamed })}</li>}
          </ul>
        </>
      ) : (
        <p>{t("canceling.nothingReturns")}</p>
      )}
      <p className="ob-quiet ob-above">{t("canceling.stays")}</p>
      {refusal !== null && (
        <p className="ob-note ob-note--danger ob-above" role="alert">
          {errorText(refusal)}
        </p>
      )}
    </Modal>
  );
}

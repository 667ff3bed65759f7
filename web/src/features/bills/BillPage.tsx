/** One bill or pre-bill: what it says, its lines, what it comes to, and what may be done with it. Follows the live events. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import type { Delivery } from "@/contract";
import { toast } from "@/shared/ui/toast";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BillDialog } from "./BillDialog";
import { BillButtons } from "./bill/BillButtons";
import { BillHead } from "./bill/BillHead";
import { BillLines } from "./bill/BillLines";
import { useBillNews } from "./bill/useBillNews";
import { updateBill } from "./bills.writes";
import { LoadedBill } from "./LoadedBill";
import { Totals } from "./Totals";
import { useBillAction } from "./useBillAction";
import "./bill/bill.css";

const CancelDialog = lazyPart(() => import("./CancelDialog"));

export default function BillPage() {
  const billId = Number(useParams()["id"]);
  return (
    <div className="ob-page">
      <LoadedBill billId={billId}>{(bill) => <WholeBill bill={bill} />}</LoadedBill>
    </div>
  );
}

function WholeBill({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("bills");
  const [asked, setAsked] = useState<"bill" | "cancel" | null>(null);
  const close = () => setAsked(null);
  useBillNews(bill);
  return (
    <>
      <BillHead bill={bill} actions={<BillButtons bill={bill} onAsk={setAsked} />} />
      <section className="ob-surface ob-section" aria-label={t("form.lines")}>
        <BillLines bill={bill} />
        <Totals
          subtotal={bill.subtotal}
          tax={bill.tax}
          shipping={bill.shippingPrice}
          total={bill.total}
          currency={bill.currency}
        />
      </section>
      {asked === "bill" && <Billing bill={bill} onClose={close} />}
      {asked === "cancel" && <CancelDialog bill={bill} onClose={close} />}
    </>
  );
}

function Billing({ bill, onClose }: { bill: Delivery; onClose: () => void }) {
  const { t } = useTranslation("bills");
  const { act, busy, refusal } = useBillAction((headers, ref) =>
    updateBill(headers, ref, { preBill: false }),
  );

  async function onAccept() {
    const billed = await act(bill);
    if (billed === undefined) return;
    toast.success(t("billing.done", { number: billed.number }));
    onClose();
  }

  return (
    <BillDialog
      bill={bill}
      busy={busy}
      refusal={refusal}
      onAccept={() => void onAccept()}
      onClose={onClose}
    />
  );
}

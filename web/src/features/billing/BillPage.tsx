/** Show a bill or pre-bill: header, lines, totals and actions. Follows live events. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import type { Delivery } from "@/contract";
import { readDraft } from "@/shared/form/draft";
import { useSignedIn } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BillButtons } from "./bill/BillButtons";
import { BillHead } from "./bill/BillHead";
import { Billing, draftName } from "./bill/Billing";
import { BillLines } from "./bill/BillLines";
import ExportSection from "./export/ExportSection";
import { Totals } from "./BillParts";
import { LoadedBill, useBillNews } from "./LoadedBill";
import "./billing.css";

const CancelDialog = lazyPart(() => import("./CancelDialog"));
const NumbersDrawer = lazyPart(() => import("./bill/NumbersDrawer"));

export default function BillPage() {
  const billId = Number(useParams()["id"]);
  return (
    <div className="ob-page">
      <LoadedBill billId={billId}>{(bill) => <WholeBill bill={bill} />}</LoadedBill>
    </div>
  );
}

function WholeBill({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const userId = useSignedIn().user.id;
  // Reopen the form that was open when the session ended, if its draft was kept.
  const [asked, setAsked] = useState<"bill" | "cancel" | "numbers" | null>(() => {
    if (bill.actions.bill && readDraft(draftName(bill), userId) !== null) return "bill";
    return bill.actions.numbers && readDraft(`bill/${bill.id}/numbers`, userId) !== null
      ? "numbers"
      : null;
  });
  const close = () => setAsked(null);
  useBillNews(bill);
  return (
    <>
      <BillHead
        bill={bill}
        actions={<BillButtons bill={bill} onAsk={setAsked} />}
        onNumbers={() => setAsked("numbers")}
      />
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
      <ExportSection bill={bill} />
      {asked === "bill" && <Billing bill={bill} onClose={close} />}
      {asked === "numbers" && <NumbersDrawer bill={bill} onClose={close} />}
      {asked === "cancel" && <CancelDialog bill={bill} onClose={close} />}
    </>
  );
}

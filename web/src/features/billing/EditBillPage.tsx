/**
 * Edit a pre-bill. The form stays based on the version loaded first: later changes are handled on
 * saving.
 */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import type { Delivery } from "@/contract";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState } from "@/shared/ui/states";
import { useBillName } from "./BillParts";
import { BillForm } from "./form/BillForm";
import { LoadedBill, useBillNews } from "./LoadedBill";
import { billPath } from "./paths";

export default function EditBillPage() {
  const billId = Number(useParams()["id"]);
  return (
    <div className="ob-page ob-bill-form">
      <LoadedBill billId={billId}>{(bill) => <Editing key={bill.id} bill={bill} />}</LoadedBill>
    </div>
  );
}

function Editing({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const nameOf = useBillName();
  const [first] = useState(bill);
  useBillNews(first);
  return (
    <>
      <BackLink to={billPath(first.id)}>{nameOf(first)}</BackLink>
      <PageTitle title={t("form.editTitle", { name: nameOf(first) })} />
      {first.actions.edit ? (
        <BillForm bill={first} />
      ) : (
        <div className="ob-surface">
          <EmptyState title={t("form.notEditable")} hint={t("form.notEditableHint")} />
        </div>
      )}
    </>
  );
}

/**
 * Create a bill or pre-bill: choose the customer, tick finished lines, set quantities and prices.
 */
import { useTranslation } from "react-i18next";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { BillForm } from "./form/BillForm";
import { BILLS } from "./paths";

export default function NewBillPage() {
  const { t } = useTranslation("billing");
  return (
    <div className="ob-page ob-bill-form">
      <BackLink to={BILLS}>{t("list.title")}</BackLink>
      <PageTitle title={t("form.newTitle")} />
      <BillForm />
    </div>
  );
}

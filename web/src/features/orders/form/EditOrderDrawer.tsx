/** Edit the header of an order. Only the fields that the user changed are sent. */
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SalesOrder } from "@/contract";
import { pick } from "@/shared/form/changes";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { historyPath } from "@/shared/form/historyPath";
import { useAnswers } from "@/shared/http/data";
import { at, ORDERS } from "@/shared/http/keys";
import { useMay } from "@/shared/session/session";
import { loadOrder } from "../orders.api";
import { updateOrder } from "../orders.writes";
import { linesPath, orderPath } from "../paths";
import { useLastChange } from "../useLastChange";
import { HeaderFields } from "./HeaderFields";
import { headerBody, headerOf, type HeaderValues } from "./values";

const FIELDS = ["customerId", "customerSalesOrderId", "salesOrderDate", "notes"] as const;
const LABELS = {
  customerId: "field.customer",
  customerSalesOrderId: "field.po",
  salesOrderDate: "field.date",
  notes: "field.notes",
} as const;

export default function EditOrderDrawer(props: { order: SalesOrder; onClose: () => void }) {
  const { t } = useTranslation(["orders", "forms", "shared"]);
  const { afterWrite } = useAnswers();
  const mayAudit = useMay("ViewAudit");
  const lastChange = useLastChange(props.order.id);
  // The order that this form is based on. Live changes must not replace it while the user types.
  const known = useRef(props.order);

  return (
    <FormDrawer<HeaderValues>
      title={t("order.editTitle", { po: props.order.customerSalesOrderId })}
      name={`order/${props.order.id}`}
      saveLabel={t("shared:action.save")}
      initial={headerOf(props.order)}
      fields={FIELDS}
      changedBy={lastChange}
      save={async (headers, values, touched) => {
        const changed = await updateOrder(
          headers,
          known.current,
          pick(headerBody(values), touched),
        );
        afterWrite(at(ORDERS));
        const po = changed.customerSalesOrderId;
        return { name: t("order.title", { po }), path: orderPath(changed.id) };
      }}
      reload={async () => {
        known.current = await loadOrder(known.current.id);
        return headerOf(known.current);
      }}
      describe={(field, values) => ({
        label: t(LABELS[field as keyof typeof LABELS]),
        text: String((field === "customerId" ? values.customerName : values[field]) ?? ""),
      })}
      top={
        <p className="ob-words">
          <Link to={linesPath(props.order.id)}>{t("order.editLines")}</Link>
          {mayAudit && (
            <Link to={historyPath("sales-order", props.order.id)}>{t("forms:record.history")}</Link>
          )}
        </p>
      }
      onClose={props.onClose}
    >
      <HeaderFields />
    </FormDrawer>
  );
}

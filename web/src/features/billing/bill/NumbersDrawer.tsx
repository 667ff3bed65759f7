/** Edit the CFDI folio and the tracking number of a bill. Both may come after it is issued. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { useAnswers } from "@/shared/http/data";
import { useBillName } from "../BillParts";
import { loadBill, saveNumbers, type BillNumbers } from "../billing.api";
import { NUMBER_MOST } from "../form/values";
import { billPath } from "../paths";
import { BILL_LISTS } from "../useBillAction";

const FIELDS = ["invoiceNumber", "guideNumber"] as const;

const valuesOf = ({ invoiceNumber, guideNumber }: Delivery): BillNumbers => ({
  invoiceNumber,
  guideNumber,
});

export default function NumbersDrawer({ bill, onClose }: { bill: Delivery; onClose: () => void }) {
  const { t } = useTranslation("billing");
  const answers = useAnswers();
  const nameOf = useBillName();
  // The version that this form is based on. Later changes are handled on saving.
  const known = useRef(bill);

  async function reload() {
    known.current = await loadBill(bill.id);
    return valuesOf(known.current);
  }

  return (
    <FormDrawer<BillNumbers>
      title={t("numbers.edit")}
      name={`bill/${bill.id}/numbers`}
      initial={valuesOf(bill)}
      fields={FIELDS}
      save={async (headers, values) => {
        const saved = await saveNumbers(headers, known.current, {
          invoiceNumber: values.invoiceNumber.trim(),
          guideNumber: values.guideNumber.trim(),
        });
        answers.afterWrite(BILL_LISTS);
        return { name: nameOf(saved), path: billPath(saved.id) };
      }}
      reload={reload}
      describe={(field, values) => ({ label: t(`field.${field}`), text: values[field] })}
      onClose={onClose}
    >
      {bill.status === "Billed" && <p className="ob-quiet">{t("numbers.hint")}</p>}
      <Form.Item name="invoiceNumber" label={t("field.invoiceNumber")}>
        <Input maxLength={NUMBER_MOST} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="guideNumber"
        label={t("field.guideNumber")}
        rules={[{ required: true, whitespace: true, message: t("form.guideRequired") }]}
      >
        <Input maxLength={NUMBER_MOST} autoComplete="off" />
      </Form.Item>
    </FormDrawer>
  );
}

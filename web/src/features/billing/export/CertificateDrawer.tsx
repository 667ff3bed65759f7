/** Certify the origin of the customer's goods for a period of up to twelve months. */
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { DayField } from "@/shared/form/DayField";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { useAnswers } from "@/shared/http/data";
import { showing } from "@/shared/http/keys";
import { createCertificate } from "../billing.api";
import { billPath } from "../paths";

interface Values {
  begins: string;
  ends: string;
}

const FIELDS = ["begins", "ends"] as const;

export default function CertificateDrawer({
  bill,
  onClose,
}: {
  bill: Delivery;
  onClose: () => void;
}) {
  const { t } = useTranslation(["billing", "forms"]);
  const answers = useAnswers();
  const year = bill.date.slice(0, 4);
  const initial = { begins: `${year}-01-01`, ends: `${year}-12-31` };
  return (
    <FormDrawer<Values>
      title={t("origin.certify")}
      name={`bill/${bill.id}/certificate`}
      initial={initial}
      fields={FIELDS}
      save={async (headers, values) => {
        const { customerId, companyId } = bill;
        const made = await createCertificate(headers, { customerId, companyId, ...values });
        answers.afterWrite(showing("certificates"));
        return {
          name: t("origin.covers", { begins: made.begins, ends: made.ends }),
          path: billPath(bill.id),
        };
      }}
      reload={() => Promise.resolve(initial)}
      describe={(field, values) => ({ label: t(`origin.${field}`), text: values[field] })}
      onClose={onClose}
    >
      <p className="ob-quiet">{t("origin.certifyHint", { customer: bill.customerName })}</p>
      {FIELDS.map((field) => (
        <Form.Item
          key={field}
          name={field}
          label={t(`origin.${field}`)}
          rules={[{ required: true, message: t("forms:required") }]}
        >
          <DayField />
        </Form.Item>
      ))}
    </FormDrawer>
  );
}

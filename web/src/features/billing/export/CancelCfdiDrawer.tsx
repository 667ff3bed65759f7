/** Note that the stamped invoice of a bill was canceled at the SAT, and why. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { CfdiCanceledIn, Delivery } from "@/contract";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { Select } from "@/shared/form/Select";
import { cancelCfdi } from "../billing.api";
import { billPath } from "../paths";

const REASONS = ["01", "02", "03", "04"] as const;
const FIELDS = ["reason", "replacedBy"] as const;
const NOTHING: Values = { reason: "02", replacedBy: "" };

interface Values {
  reason: CfdiCanceledIn["reason"];
  replacedBy: string;
}

interface Props {
  bill: Delivery;
  onDone: () => void;
  onClose: () => void;
}

export default function CancelCfdiDrawer({ bill, onDone, onClose }: Props) {
  const { t } = useTranslation("billing");
  return (
    <FormDrawer<Values>
      title={t("cfdi.cancel")}
      name={`bill/${bill.id}/cfdi`}
      initial={NOTHING}
      fields={FIELDS}
      save={async (headers, { reason, replacedBy }) => {
        const folio = replacedBy.trim();
        const body = { reason, ...(folio === "" ? {} : { replacedBy: folio }) };
        await cancelCfdi(headers, bill.id, body);
        onDone();
        return { name: t("cfdi.title"), path: billPath(bill.id) };
      }}
      reload={() => Promise.resolve(NOTHING)}
      describe={(field, values) => ({ label: t(`cfdi.${field}`), text: values[field] })}
      onClose={onClose}
    >
      <p className="ob-quiet">{t("cfdi.cancelHint")}</p>
      <Form.Item name="reason" label={t("cfdi.reason")}>
        <Select
          options={REASONS.map((value) => ({
            value,
            label: `${value} · ${t(`cancelReasons.${value}`)}`,
          }))}
        />
      </Form.Item>
      <Form.Item name="replacedBy" label={t("cfdi.replacedBy")}>
        <Input maxLength={36} autoComplete="off" />
      </Form.Item>
    </FormDrawer>
  );
}

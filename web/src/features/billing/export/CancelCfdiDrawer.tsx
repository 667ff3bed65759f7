/** Note that a stamped paper of a bill was canceled at the SAT, and why. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { CfdiCanceledIn } from "@/contract";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { Select } from "@/shared/form/Select";
import { cancelAtSat, cancelCfdi, type Paper } from "../billing.api";
import { billPath } from "../paths";

const REASONS = ["01", "02", "03", "04"] as const;
/** The reason that names the paper which replaces this one. */
const REPLACED = "01";
const FIELDS = ["reason", "replacedBy"] as const;
const NOTHING: Values = { reason: "02", replacedBy: "" };

interface Values {
  reason: CfdiCanceledIn["reason"];
  replacedBy: string;
}

interface Props {
  paper: Paper;
  /** Whether a PAC sends the cancellation to the SAT; else it is only noted. */
  pac: boolean;
  onDone: () => void;
  onClose: () => void;
}

export default function CancelCfdiDrawer({ paper, pac, onDone, onClose }: Props) {
  const { t } = useTranslation("billing");
  const title = t(pac ? "cfdi.cancelAtSat" : "cfdi.cancel");
  return (
    <FormDrawer<Values>
      title={title}
      saveLabel={title}
      name={`bill/${paper.billId}/cfdi/${paper.settlementId ?? ""}`}
      initial={NOTHING}
      fields={FIELDS}
      save={async (headers, { reason, replacedBy }) => {
        const body = { reason, ...(reason === REPLACED ? { replacedBy: replacedBy.trim() } : {}) };
        await (pac ? cancelAtSat : cancelCfdi)(headers, paper, body);
        onDone();
        return { name: title, path: billPath(paper.billId) };
      }}
      reload={() => Promise.resolve(NOTHING)}
      describe={(field, values) => ({ label: t(`cfdi.${field}`), text: values[field] })}
      onClose={onClose}
    >
      <p className="ob-quiet">{t(pac ? "cfdi.cancelAtSatHint" : "cfdi.cancelHint")}</p>
      <Form.Item name="reason" label={t("cfdi.reason")}>
        <Select
          options={REASONS.map((value) => ({
            value,
            label: `${value} · ${t(`cancelReasons.${value}`)}`,
          }))}
        />
      </Form.Item>
      <Form.Item<Values> noStyle dependencies={["reason"]}>
        {({ getFieldValue }) =>
          getFieldValue("reason") === REPLACED && (
            <Form.Item name="replacedBy" label={t("cfdi.replacedBy")}>
              <Input maxLength={36} autoComplete="off" />
            </Form.Item>
          )
        }
      </Form.Item>
    </FormDrawer>
  );
}

/**
 * Issue a pre-bill as a bill. Asks for the tracking number if the pre-bill has none. See
 * infra/docs/rules.md#bills.
 */
import Form from "antd/es/form";
import type { InputRef } from "antd/es/input";
import Input, { type InputProps } from "antd/es/input/Input";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { useDraft } from "@/shared/form/draft";
import { FormBody, FormScope } from "@/shared/form/FormParts";
import { DraftNote } from "@/shared/form/notes";
import { toast } from "@/shared/ui/toast";
import { BillDialog } from "../BillDialog";
import { useBillName } from "../BillParts";
import { updateBill } from "../billing.api";
import { MissingToBill, useMended, useMissingAddresses } from "../Missing";
import { NUMBER_MOST } from "../form/values";
import { billPath } from "../paths";
import { useBillAction } from "../useBillAction";

interface Missing {
  guideNumber: string;
}

const NOTHING: Missing = { guideNumber: "" };

/** The name under which the draft is kept. */
export const draftName = ({ id }: Delivery) => `bill/${id}/billing`;

export function Billing({ bill, onClose }: { bill: Delivery; onClose: () => void }) {
  const { t } = useTranslation("billing");
  const nameOf = useBillName();
  const [form] = Form.useForm<Missing>();
  const draft = useDraft(draftName(bill), NOTHING);
  const { act, busy, refusal, forget } = useBillAction((headers, ref, missing: Partial<Missing>) =>
    updateBill(headers, ref, { preBill: false, ...missing }),
  );
  const lacking = useMissingAddresses(bill);
  useMended(lacking, forget);
  const hasGuide = bill.guideNumber !== "";

  function close() {
    draft.drop();
    onClose();
  }

  async function accept(missing: Partial<Missing>) {
    const billed = await act(bill, missing);
    if (billed === undefined) return;
    toast.done({
      name: t("billing.done", { name: nameOf(billed) }),
      path: billPath(billed.id),
    });
    close();
  }

  return (
    <BillDialog
      bill={bill}
      busy={busy}
      refusal={refusal}
      onAccept={hasGuide ? () => void accept({}) : form.submit}
      onClose={close}
    >
      {lacking.length > 0 && (
        <dl className="ob-above">
          <MissingToBill missing={lacking} />
        </dl>
      )}
      {!hasGuide && (
        <FormScope>
          {draft.restored && (
            <DraftNote
              onDrop={() => {
                draft.drop();
                form.setFieldsValue(NOTHING);
              }}
            />
          )}
          <FormBody<Missing>
            form={form}
            busy={busy}
            className="ob-above"
            initialValues={draft.values}
            onValuesChange={(changed) => {
              forget();
              draft.change(changed);
            }}
            onFinish={({ guideNumber }) => void accept({ guideNumber: guideNumber.trim() })}
            scrollToFirstError={{ focus: true }}
          >
            <Form.Item
              name="guideNumber"
              label={t("field.guideNumber")}
              rules={[{ required: true, whitespace: true, message: t("form.guideRequired") }]}
            >
              <GuideField />
            </Form.Item>
          </FormBody>
        </FormScope>
      )}
    </BillDialog>
  );
}

/** The only missing field, so it has the focus from the start. */
function GuideField(props: InputProps) {
  const field = useRef<InputRef>(null);
  useEffect(() => field.current?.focus(), []);
  return <Input {...props} ref={field} maxLength={NUMBER_MOST} autoComplete="off" />;
}

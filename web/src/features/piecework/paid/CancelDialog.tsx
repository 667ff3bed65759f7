/**
 * Cancel a payment and keep the reason. The typed reason survives a reload and the end of the
 * session.
 */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { useDraft } from "@/shared/form/draft";
import { FormBody, FormScope, SendButton, showRefusal } from "@/shared/form/FormParts";
import { DraftNote } from "@/shared/form/notes";
import { formatMoney } from "@/shared/format/numbers";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useLanguage } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import { paymentPath } from "../paths";
import { cancelPayment, useReloadPayments } from "../piecework.api";

const NOTES = 200;
const NOTHING = { notes: "" };

export const draftName = ({ id }: Payment) => `payments/${id}/cancel`;

export function CancelDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation(["piecework", "forms", "shared"]);
  const language = useLanguage();
  const reload = useReloadPayments();
  useFocusBack();
  const [form] = Form.useForm<{ notes: string }>();
  const draft = useDraft(draftName(payment), NOTHING);
  const { submit, busy } = useSubmit((headers, notes: string) =>
    cancelPayment(headers, payment.id, notes),
  );

  function close() {
    draft.drop();
    onClose();
  }

  async function accept({ notes }: { notes: string }) {
    try {
      if ((await submit(notes)) === undefined) return;
      toast.saved({ name: t("paid.one", { id: payment.id }), path: paymentPath(payment.id) });
      close();
    } catch (reason) {
      showRefusal(form, reason);
    }
    // Reload even after a refusal: if another user canceled the payment, what is paid and left has
    // changed.
    reload();
  }

  return (
    <FormScope>
      <Modal
        open
        centered
        width={460}
        title={t("cancel.title", { id: payment.id })}
        closable={{ "aria-label": t("shared:action.close") }}
        onCancel={close}
        footer={[
          <Button key="keep" onClick={close}>
            {t("shared:action.close")}
          </Button>,
          <SendButton key="cancel" danger loading={busy} onClick={form.submit}>
            {t("cancel.accept")}
          </SendButton>,
        ]}
      >
        {draft.restored && (
          <DraftNote
            onDrop={() => {
              draft.drop();
              form.setFieldsValue(NOTHING);
            }}
          />
        )}
        <p className="ob-below">
          {t("cancel.text", { total: formatMoney(payment.total, payment.currency, language) })}
        </p>
        <FormBody
          form={form}
          busy={busy}
          initialValues={draft.values}
          onValuesChange={draft.change}
          onFinish={(values) => void accept(values)}
        >
          <Form.Item
            name="notes"
            label={t("cancel.why")}
            rules={[{ required: true, whitespace: true, message: t("forms:required") }]}
          >
            <Input.TextArea maxLength={NOTES} showCount autoSize={{ minRows: 2 }} />
          </Form.Item>
        </FormBody>
      </Modal>
    </FormScope>
  );
}

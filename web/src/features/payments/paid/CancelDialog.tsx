/** Takes a payment back; why is asked for and kept. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { useSWRConfig } from "swr";
import type { Payment } from "@/contract";
import { FormBody } from "@/shared/form/FormBody";
import { FormScope } from "@/shared/form/FormScope";
import { showRefusal } from "@/shared/form/refusal";
import { SendButton } from "@/shared/form/SendButton";
import { formatMoney } from "@/shared/format/numbers";
import { useFocusBack } from "@/shared/hooks/useFocusBack";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { useLanguage } from "@/shared/i18n";
import { keys } from "@/shared/keys";
import { toast } from "@/shared/ui/toast";
import { cancelPayment } from "../payments.api";

const NOTES = 200;

export function CancelDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation(["payments", "forms", "shared"]);
  const language = useLanguage();
  const { mutate } = useSWRConfig();
  useFocusBack();
  const [form] = Form.useForm<{ notes: string }>();
  const { submit, busy } = useSubmit((headers, notes: string) =>
    cancelPayment(headers, payment.id, notes),
  );

  async function accept({ notes }: { notes: string }) {
    try {
      const canceled = await submit(notes);
      if (canceled === undefined) return;
      await mutate(keys.payment(payment.id), canceled, { revalidate: false });
      toast.success(t("cancel.done"));
      onClose();
    } catch (reason) {
      showRefusal(form, reason);
    }
    // Canceled here or by somebody else: what is paid and what is left are not what they were.
    void mutate((key) => Array.isArray(key) && (key[0] === "payables" || key[0] === "payments"));
  }

  return (
    <FormScope>
      <Modal
        open
        centered
        width={460}
        title={t("cancel.title", { id: payment.id })}
        closable={{ "aria-label": t("shared:action.close") }}
        onCancel={onClose}
        footer={[
          <Button key="keep" onClick={onClose}>
            {t("shared:action.close")}
          </Button>,
          <SendButton key="cancel" danger loading={busy} onClick={form.submit}>
            {t("cancel.accept")}
          </SendButton>,
        ]}
      >
        <p className="ob-payment__question">
          {t("cancel.text", { total: formatMoney(payment.total, payment.currency, language) })}
        </p>
        <FormBody form={form} onFinish={(values) => void accept(values)}>
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

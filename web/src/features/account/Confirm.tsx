/** Ask for the current password before a way of signing in changes, and for a name if it needs one. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import Password from "antd/es/input/Password";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { FormBody, FormScope, SendButton, showFieldErrors } from "@/shared/form/FormParts";
import { asApiError } from "@/shared/http/ApiError";
import { useFocusBack } from "@/shared/hooks/browser";
import { refusedBy } from "@/shared/http/passkeys";
import { PASSWORD_MOST } from "@/shared/session/passwordRule";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";

export interface Given {
  currentPassword: string;
  name: string;
}

interface Props {
  title: string;
  hasPassword: boolean;
  /** The name to start with; null if nothing is named. */
  name?: string | null;
  /** Rejects with ApiError. */
  work: (given: Given) => Promise<unknown>;
  onDone: (given: Given) => void;
  onClose: () => void;
}

export function Confirm({ title, hasPassword, name = null, work, onDone, onClose }: Props) {
  const { t } = useTranslation(["account", "shared"]);
  const [form] = Form.useForm<Given>();
  useFocusBack();
  const { submit, busy } = useSubmit((_headers, given: Given) => work(given).then(() => true));

  async function onFinish(written: Partial<Given>) {
    const given = { currentPassword: "", name: "", ...written };
    try {
      if ((await submit(given)) !== undefined) onDone(given);
    } catch (reason) {
      const refused = refusedBy(reason);
      if (refused === "canceled") return;
      if (refused !== null) {
        toast.error(t(`ways.passkeys.${refused}`));
        return;
      }
      const error = asApiError(reason);
      if (error.errors.length > 0) showFieldErrors(form, error);
      toast.error(errorText(error));
    }
  }

  return (
    <FormScope>
      <Modal
        open
        centered
        width={440}
        title={title}
        closable={{ "aria-label": t("shared:action.close") }}
        mask={{ closable: false }}
        onCancel={onClose}
        footer={[
          <Button key="cancel" onClick={onClose}>
            {t("shared:action.cancel")}
          </Button>,
          <SendButton key="save" loading={busy} onClick={form.submit}>
            {t("ways.confirm")}
          </SendButton>,
        ]}
      >
        <FormBody<Given>
          form={form}
          busy={busy}
          initialValues={{ name: name ?? "" }}
          onFinish={(given) => void onFinish(given)}
        >
          {name !== null && (
            <Form.Item
              name="name"
              label={t("ways.passkeys.name")}
              rules={[{ required: true, whitespace: true, message: t("required") }]}
            >
              <Input maxLength={100} autoComplete="off" />
            </Form.Item>
          )}
          {hasPassword && (
            <Form.Item
              name="currentPassword"
              label={t("ways.password")}
              rules={[{ required: true, message: t("required") }]}
            >
              <Password maxLength={PASSWORD_MOST} autoComplete="current-password" />
            </Form.Item>
          )}
        </FormBody>
      </Modal>
    </FormScope>
  );
}

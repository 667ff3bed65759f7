/** Change the user's own password, which ends their session. See infra/docs/rules.md#passwords. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Password from "antd/es/input/Password";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormBody, FormScope, SendButton, showFieldErrors } from "@/shared/form/FormParts";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { PASSWORD_MOST } from "@/shared/session/passwordRule";
import { holdSession, signOut, useSignedIn } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";

const FIELDS = ["currentPassword", "newPassword", "confirmNewPassword"] as const;
type Passwords = Record<(typeof FIELDS)[number], string>;

export default function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["account", "shared"]);
  const userId = useSignedIn().user.id;
  const [form] = Form.useForm<Passwords>();
  const [done, setDone] = useState(false);
  useFocusBack();
  const { submit, busy } = useSubmit((headers, body: Passwords) =>
    call(
      api.PUT("/identity/users/{user_id}/change-password/by-user", {
        params: { path: { user_id: userId } },
        body,
        headers,
      }),
    ),
  );

  async function onFinish(passwords: Passwords) {
    try {
      if (!(await changeAndLeave(() => submit(passwords)))) return undefined;
    } catch (reason) {
      toast.error(t("shared:errors.generic"));
      return showFieldErrors(form, asApiError(reason));
    }
    setDone(true);
    return toast.success(t("changed"));
  }

  const close = () => {
    if (!done && !busy) onClose();
  };
  return (
    <FormScope>
      <Modal
        open
        centered
        width="80vw"
        title={t("title")}
        closable={{ "aria-label": t("shared:action.close") }}
        mask={{ closable: false }}
        onCancel={close}
        footer={[
          <Button key="cancel" disabled={done} onClick={close}>
            {t("shared:action.cancel")}
          </Button>,
          <SendButton key="save" loading={busy} disabled={done} onClick={form.submit}>
            {t("shared:action.save")}
          </SendButton>,
        ]}
      >
        <FormBody<Passwords>
          form={form}
          busy={busy}
          disabled={done}
          onFinish={(passwords) => void onFinish(passwords)}
        >
          {FIELDS.map((field) => (
            <Form.Item
              key={field}
              name={field}
              label={t(`field.${field}`)}
              rules={[{ required: true, message: t("required") }]}
              {...(field === "newPassword" ? { extra: t("rule") } : {})}
            >
              <Password
                maxLength={PASSWORD_MOST}
                autoComplete={field === "currentPassword" ? "current-password" : "new-password"}
              />
            </Form.Item>
          ))}
        </FormBody>
      </Modal>
    </FormScope>
  );
}

// The server ends every session of the user. Keep this one until they have read the message.

/** Time until the session ends after the password was changed, in ms. */
const CLOSES_AFTER = 2_000;

/**
 * Send the change and sign out two seconds after it succeeds. Returns true if the password was
 * changed, false if `send` returned undefined because an earlier call is still running. Throws what
 * `send` throws.
 */
export async function changeAndLeave(send: () => Promise<unknown>): Promise<boolean> {
  // The event that ends the session can arrive before the answer to the change.
  const release = holdSession();
  let answer: unknown;
  try {
    answer = await send();
  } catch (reason) {
    release();
    throw reason;
  }
  if (answer === undefined) {
    release();
    return false;
  }
  setTimeout(() => {
    signOut();
    release();
  }, CLOSES_AFTER);
  return true;
}
